package io.millrace.cli.queue;

import io.millrace.api.JobState;
import io.millrace.console.text.Amounts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Removes all jobs of a queue that are in these states, for good. */
@Command(
    name = "purge",
    description = {"Removes all jobs of a queue that are in these states, for good."})
final class QueuePurgeCommand extends QueueChange {

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Jobs in this state; may be given several times: ${COMPLETION-CANDIDATES}.")
  private List<JobState> states = new ArrayList<>();

  @Override
  Action action() {
    if (states.isEmpty()) {
      throw new ParameterException(command(), "say which jobs: --state");
    }
    if (states.contains(JobState.LEASED)) {
      throw new ParameterException(
          command(), "leased jobs cannot be purged, cancel them: --state leased");
    }
    return (target, queue) -> {
      long count = target.purge(queue, EnumSet.copyOf(states));
      return new Outcome("purged " + Amounts.count(count, "job") + " of", "purged", count);
    };
  }
}
