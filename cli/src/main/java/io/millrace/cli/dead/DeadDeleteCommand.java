package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.place.Target;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes dead letters. */
@Command(
    name = "delete",
    description = {"Removes dead letters for good.", "Needs --job, --queue or --all."})
final class DeadDeleteCommand extends MillraceCommand {

  @Mixin private DeadChange change = new DeadChange();

  @Override
  public Integer call() {
    return change.apply(
        "deleted",
        new DeadChange.Action() {
          @Override
          public Optional<String> one(Target target, JobId id) {
            return target.delete(id) ? Optional.empty() : Optional.of(DeadChange.NONE_SUCH);
          }

          @Override
          public long all(Target target, QueueName queue, DeadFilter filter) {
            return target.deleteAll(queue, filter);
          }
        });
  }
}
