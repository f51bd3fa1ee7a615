package io.millrace.cli.job;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Result;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.JobAction;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Amounts;
import io.millrace.management.JobEngineMBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** A command that changes jobs: it opens the store, changes each of them, and reports. */
abstract class JobChange extends MillraceCommand {

  private static final long PROGRESS_NS = Duration.ofSeconds(2).toNanos();

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private JobSelection selection = new JobSelection();
  @Mixin private JsonOption json = new JsonOption();

  /** The outcome for a job: the name of the result, and whether it is the one that was wanted. */
  record Outcome(String name, boolean isDone) {}

  /**
   * Returns what the command does to a job, before the store is opened.
   *
   * @throws ParameterException one of the command's own options is wrong
   */
  abstract JobAction<Outcome> action();

  /** Returns an action whose outcomes have the names of the results. */
  static <R extends Enum<R> & Result<R>> JobAction<Outcome> named(
      Class<R> results,
      BiFunction<JobQueues, JobId, R> here,
      BiFunction<JobEngineMBean, String, String> elsewhere) {
    return JobAction.of(results, here, elsewhere)
        .map(result -> new Outcome(result.name(), result.isDone()));
  }

  /** Changes each job, and reports each outcome, or how many jobs had which. */
  @Override
  public final Integer call() {
    JobAction<Outcome> action = action();
    Optional<JobFilter> filter = selection.filter(command());
    if (filter.isEmpty()) {
      return applyToNamed(selection.named(), action);
    }
    return selection.isYes() ? applyToAll(filter.get(), action) : count(filter.get());
  }

  private int applyToNamed(Set<JobId> named, JobAction<Outcome> action) {
    List<String> refused = new ArrayList<>();
    try (Target target = store.toChange(command())) {
      for (JobId id : named) {
        Outcome outcome = target.change(action, id);
        print(id, outcome);
        if (!outcome.isDone()) {
          refused.add(id + " (" + outcome.name() + ")");
        }
      }
    }
    if (!refused.isEmpty()) {
      throw new CannotException(
          "not done, the job is gone, or not in a state for it: " + String.join(", ", refused));
    }
    return ExitCode.OK;
  }

  /** Reports how many jobs would be changed, and changes nothing. */
  private int count(JobFilter filter) {
    long count;
    try (Target target = store.toRead(command())) {
      count = matching(target, filter).size();
    }
    json.answer(
        out(),
        Amounts.count(count, "job")
            + (count == 1 ? " meets" : " meet")
            + " that; nothing was done, say --yes to do it",
        generator -> generator.writeNumberField("matching", count));
    return ExitCode.OK;
  }

  /**
   * Returns the jobs that meet the filter. They are all found first, since the change may move
   * them.
   */
  private static List<JobId> matching(Target target, JobFilter filter) {
    List<JobId> matching = new ArrayList<>();
    new Pages<Job>(page -> target.list(filter, page))
        .forEachRemaining(job -> matching.add(job.id()));
    return matching;
  }

  private int applyToAll(JobFilter filter, JobAction<Outcome> action) {
    Map<Outcome, Long> counts = new LinkedHashMap<>();
    try (Target target = store.toChange(command())) {
      List<JobId> matching = matching(target, filter);
      long toldNs = System.nanoTime();
      for (int i = 0; i < matching.size(); i++) {
        counts.merge(target.change(action, matching.get(i)), 1L, Long::sum);
        if (System.nanoTime() - toldNs > PROGRESS_NS) {
          toldNs = System.nanoTime();
          TargetOptions.tell(
              command(), Amounts.count(i + 1) + " of " + Amounts.count(matching.size(), "job"));
        }
      }
    } catch (RuntimeException e) {
      if (!counts.isEmpty()) {
        print(counts); // what is done is done
      }
      throw e;
    }
    print(counts);
    return counts.keySet().stream().allMatch(Outcome::isDone) ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void print(Map<Outcome, Long> counts) {
    String told =
        counts.entrySet().stream()
            .map(each -> Amounts.count(each.getValue(), "job") + " " + each.getKey().name())
            .collect(Collectors.joining(", "));
    json.answer(
        out(),
        told.isEmpty() ? "no jobs" : told,
        generator -> {
          for (Map.Entry<Outcome, Long> each : counts.entrySet()) {
            generator.writeNumberField(each.getKey().name(), each.getValue());
          }
        });
  }

  private void print(JobId id, Outcome outcome) {
    json.answer(
        out(),
        id + " " + outcome.name(),
        generator -> {
          generator.writeStringField("job", id.toString());
          generator.writeStringField("outcome", outcome.name());
        });
  }
}
