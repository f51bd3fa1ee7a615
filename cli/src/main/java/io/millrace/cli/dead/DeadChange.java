package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JobIdConverter;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Amounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * A command that changes dead letters: it selects them, opens the store, changes them, and reports.
 */
abstract class DeadChange extends MillraceCommand {

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

  /** Returns the word for what was done, for people and for programs. */
  abstract String done();

  /** Changes one dead letter. Returns the reason why that was not done; empty if it was. */
  abstract Optional<String> one(Target target, JobId id);

  /** Changes all dead letters of a queue that match; returns how many there were. */
  abstract long all(Target target, QueueName queue, DeadFilter filter);

  @Override
  public final Integer call() {
    Optional<QueueName> queue = queueOption.queue(command());
    checkSelection(command(), queue);
    Map<JobId, String> refused = new LinkedHashMap<>();
    long count;
    try (Target target = store.toChange(command())) {
      count = jobIds.isEmpty() ? applyToQueues(target, queue) : applyToJobs(target, refused);
    }
    report(count, refused.keySet());
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

  private long applyToQueues(Target target, Optional<QueueName> only) {
    DeadFilter filter = filterOptions.filter(Instant.now());
    long count = 0;
    for (QueueName queue : QueueOption.existing(target, only)) {
      count += all(target, queue, filter);
    }
    return count;
  }

  private long applyToJobs(Target target, Map<JobId, String> refused) {
    long count = 0;
    for (JobId id : jobIds) {
      Optional<String> refusal = one(target, id);
      refusal.ifPresent(reason -> refused.put(id, reason));
      count += refusal.isEmpty() ? 1 : 0;
    }
    return count;
  }

  private void report(long count, Set<JobId> refused) {
    json.answer(
        out(),
        done() + " " + Amounts.count(count, "dead letter"),
        generator -> {
          generator.writeNumberField(done(), count);
          generator.writeArrayFieldStart("refused");
          for (JobId id : refused) {
            generator.writeString(id.toString());
          }
          generator.writeEndArray();
        });
  }
}
