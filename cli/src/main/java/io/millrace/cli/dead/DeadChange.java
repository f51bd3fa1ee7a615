package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.JobIdConverter;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.JsonLines;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The common part of redriving and deleting dead letters: their selection, and the report. */
final class DeadChange {

  /** The reason why nothing was done with a job that is not there, or not dead. */
  static final String NONE_SUCH = "no such dead letter";

  @Mixin private TargetOptions store = new TargetOptions();

  @Option(
      names = "--job",
      paramLabel = "ID",
      converter = JobIdConverter.class,
      description = "This dead letter; may be given several times.")
  private Set<JobId> jobIds = new LinkedHashSet<>();

  @Mixin private QueueOption queueOption = new QueueOption();

  @Option(names = "--all", description = "Those of all queues.")
  private boolean isAll;

  @Mixin private DeadFilterOptions filterOptions = new DeadFilterOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A change of dead letters. */
  interface Action {

    /** Changes one dead letter. Returns the reason why that was not done; empty if it was. */
    Optional<String> one(Target target, JobId id);

    /** Changes all dead letters of a queue that match; returns how many there were. */
    long all(Target target, QueueName queue, DeadFilter filter);
  }

  /** Opens the store, carries out the change, and reports. */
  int apply(String done, Action action) {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    Optional<QueueName> queue = queueOption.queue(command);
    checkSelection(command, queue);
    Map<JobId, String> refused = new LinkedHashMap<>();
    long count;
    try (Target target = store.toChange(command)) {
      count =
          jobIds.isEmpty()
              ? applyToQueues(target, queue, action)
              : applyToJobs(target, action, refused);
    }
    report(command.getOut(), done, count, refused.keySet());
    if (!refused.isEmpty()) {
      throw new CannotException(reasons(refused));
    }
    return ExitCode.OK;
  }

  /** Returns each reason once, with the jobs that it applies to. */
  private static String reasons(Map<JobId, String> refused) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    refused.forEach(
        (id, reason) ->
            byReason.computeIfAbsent(reason, first -> new ArrayList<>()).add(id.toString()));
    return byReason.entrySet().stream()
        .map(each -> each.getKey() + ": " + String.join(", ", each.getValue()))
        .collect(Collectors.joining("; "));
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

  private long applyToJobs(Target target, Action action, Map<JobId, String> refused) {
    long count = 0;
    for (JobId id : jobIds) {
      Optional<String> refusal = action.one(target, id);
      refusal.ifPresent(reason -> refused.put(id, reason));
      count += refusal.isEmpty() ? 1 : 0;
    }
    return count;
  }

  private void report(PrintWriter out, String done, long count, Set<JobId> refused) {
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
