package io.millrace.cli.job;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.JsonLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of changes to jobs: the store, the jobs, and the report. */
final class JobChange {

  private static final long PROGRESS_NS = Duration.ofSeconds(2).toNanos();

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private JobSelection selection = new JobSelection();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A change to one job. */
  interface Action {
    Outcome apply(Target target, JobId id);
  }

  /** The outcome for a job: the name of the result, and whether it is the one that was wanted. */
  record Outcome(String name, boolean isDone) {}

  CommandLine command() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }

  /** Opens the store, changes each job, and reports each outcome, or how many jobs had which. */
  int apply(Action action) {
    Optional<JobFilter> filter = selection.filter(command());
    if (filter.isEmpty()) {
      return applyToNamed(selection.named(), action);
    }
    return selection.isYes() ? applyToAll(filter.get(), action) : count(filter.get());
  }

  private int applyToNamed(Set<JobId> named, Action action) {
    List<String> refused = new ArrayList<>();
    try (Target target = store.toChange(command())) {
      for (JobId id : named) {
        Outcome outcome = action.apply(target, id);
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
    if (json.isJson()) {
      JsonLines.print(
          command().getOut(),
          generator -> {
            generator.writeStartObject();
            generator.writeNumberField("matching", count);
            generator.writeEndObject();
          });
    } else {
      command()
          .getOut()
          .println(
              Amounts.count(count, "job")
                  + (count == 1 ? " meets" : " meet")
                  + " that; nothing"
                  + " was done, say --yes to do it");
    }
    command().getOut().flush();
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

  private int applyToAll(JobFilter filter, Action action) {
    Map<Outcome, Long> counts = new LinkedHashMap<>();
    try (Target target = store.toChange(command())) {
      List<JobId> matching = matching(target, filter);
      long toldNs = System.nanoTime();
      for (int i = 0; i < matching.size(); i++) {
        counts.merge(action.apply(target, matching.get(i)), 1L, Long::sum);
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
    if (json.isJson()) {
      JsonLines.print(
          command().getOut(),
          generator -> {
            generator.writeStartObject();
            for (Map.Entry<Outcome, Long> each : counts.entrySet()) {
              generator.writeNumberField(each.getKey().name(), each.getValue());
            }
            generator.writeEndObject();
          });
    } else {
      String told =
          counts.entrySet().stream()
              .map(each -> Amounts.count(each.getValue(), "job") + " " + each.getKey().name())
              .collect(Collectors.joining(", "));
      command().getOut().println(told.isEmpty() ? "no jobs" : told);
    }
    command().getOut().flush();
  }

  private void print(JobId id, Outcome outcome) {
    if (json.isJson()) {
      JsonLines.print(
          command().getOut(),
          generator -> {
            generator.writeStartObject();
            generator.writeStringField("job", id.toString());
            generator.writeStringField("outcome", outcome.name());
            generator.writeEndObject();
          });
    } else {
      command().getOut().printf("%s %s%n", id, outcome.name());
    }
    command().getOut().flush();
  }
}
