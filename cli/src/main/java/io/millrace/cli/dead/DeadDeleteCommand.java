package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.place.Target;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Removes dead letters. */
@Command(
    name = "delete",
    description = {"Removes dead letters for good.", "Needs --job, --queue or --all."})
final class DeadDeleteCommand extends DeadChange {

  @Override
  String done() {
    return "deleted";
  }

  @Override
  Optional<String> one(Target target, JobId id) {
    return target.delete(id) ? Optional.empty() : Optional.of(NONE_SUCH);
  }

  @Override
  long all(Target target, QueueName queue, DeadFilter filter) {
    return target.deleteAll(queue, filter);
  }
}
