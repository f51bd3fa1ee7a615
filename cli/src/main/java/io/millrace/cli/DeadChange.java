package io.millrace.cli;

import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.JsonLines;
import io.millrace.engine.JobEngine;
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
import picocli.CommandLine.Spec.Target;

/** What redriving and deleting dead letters have in common: which ones, and the report. */
final class DeadChange {

  @Mixin private StoreParameter store = new StoreParameter();

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

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** What is done with dead letters. */
  interface Action {

    /** Says whether there was such a dead letter. */
    boolean one(DeadLetters letters, JobId id);

    /** Answers how many there were. */
    long all(DeadLetters letters, DeadFilter filter);
  }

  /** Opens the store, does it, and reports. */
  int apply(String done, Action action) {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    Optional<QueueName> queue = queueOption.queue(command);
    checkSelection(command, queue);
    List<JobId> refused = new ArrayList<>();
    long count;
    try (JobEngine engine = JobEngine.open(store.location())) {
      count =
          jobIds.isEmpty()
              ? applyToQueues(engine, queue, action)
              : applyToJobs(engine, action, refused);
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

  private long applyToQueues(JobEngine engine, Optional<QueueName> only, Action action) {
    DeadFilter filter = filterOptions.filter(Instant.now());
    long count = 0;
    for (QueueName queue : QueueOption.existing(engine, only)) {
      count += action.all(engine.queue(queue).deadLetters(), filter);
    }
    return count;
  }

  private long applyToJobs(JobEngine engine, Action action, List<JobId> refused) {
    long count = 0;
    for (JobId id : jobIds) {
      Optional<QueueName> queue = engine.get(id).map(Job::queue);
      if (queue.isPresent() && action.one(engine.queue(queue.get()).deadLetters(), id)) {
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
