package io.millrace.cli;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.JsonLines;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What redriving and deleting dead letters have in common: which ones, and the report. */
final class DeadChange {

  @Mixin private TargetOptions store = new TargetOptions();

  @Option(
      names = "--job",
      paramLabel = "ID",
      converter = JobIdConverter.class,
      description = "This dead letter; may be given several times.")
  private List<JobId> jobIds = new ArrayList<>();

  @Mixin private QueueOption queueOption = new QueueOption();

  @Option(names = "--all", description = "Those of all queues.")
  private boolean isAll;

  @Mixin private DeadFilterOptions filterOptions = new DeadFilterOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** What is done with dead letters. */
  interface Action {

    /** Says whether there was such a dead letter. */
    boolean one(Target target, JobId id);

    /** Answers how many there were in the queue. */
    long all(Target target, QueueName queue, DeadFilter filter);
  }

  /** Opens the store, does it, and reports. */
  int apply(String done, Action action) {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    Optional<QueueName> queue = queueOption.queue(command);
    checkSelection(command, queue);
    List<JobId> refused = new ArrayList<>();
    long count;
    try (Target target = store.toChange(command)) {
      count =
          jobIds.isEmpty()
              ? applyToQueues(target, queue, action)
              : applyToJobs(target, action, refused);
    }
    report(command.getOut(), done, count, refused);
    if (!refused.isEmpty()) {
      throw new CannotException(
          "no such dead letter: "
              + String.join(", ", refused.stream().map(JobId::toString).toList()));
    }
    return ExitCode.OK;
  }

  private void checkSelection(CommandLine command, Optional<QueueName> queue) {
    int ways = (jobIds.isEmpty() ? 0 : 1) + (queue.isPresent() ? 1 : 0) + (isAll ? 1 : 0);
    if (ways != 1) {
      throw new ParameterException(command, "say which ones: --job, --queue or --all, one of them");
    }
    if (!jobIds.isEmpty() && filterOptions.isGiven()) {
      throw new ParameterException(command, "--job goes with neither --error nor --older-than");
    }
  }

  private long applyToQueues(Target target, Optional<QueueName> only, Action action) {
    DeadFilter filter = filterOptions.filter(Instant.now());
    long count = 0;
    for (QueueName queue : QueueOption.existing(target, only)) {
      count += action.all(target, queue, filter);
    }
    return count;
  }

  private long applyToJobs(Target target, Action action, List<JobId> refused) {
    long count = 0;
    for (JobId id : jobIds) {
      if (action.one(target, id)) {
        count++;
      } else {
        refused.add(id);
      }
    }
    return count;
  }

  private void report(PrintWriter out, String done, long count, List<JobId> refused) {
    if (json.isJson()) {
      JsonLines.print(
          out,
          generator -> {
            generator.writeStartObject();
            generator.writeNumberField(done, count);
            generator.writeArrayFieldStart("refused");
            for (JobId id : refused) {
              generator.writeString(id.toString());
            }
            generator.writeEndArray();
            generator.writeEndObject();
          });
    } else {
      out.printf("%s %s%n", done, Amounts.count(count, "dead letter"));
    }
    out.flush();
  }
}
