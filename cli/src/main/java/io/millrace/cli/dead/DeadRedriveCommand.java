package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.cli.option.CheckpointOption;
import io.millrace.cli.place.RedriveAction;
import io.millrace.cli.place.Target;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes dead letters ready again. */
@Command(
    name = "redrive",
    description = {
      "Makes dead letters ready again, with their attempts starting afresh.",
      "Needs --job, --queue or --all."
    })
final class DeadRedriveCommand extends DeadChange {

  @Mixin private CheckpointOption checkpoint = new CheckpointOption();

  @Override
  String done() {
    return "redriven";
  }

  @Override
  Optional<String> one(Target target, JobId id) {
    RedriveResult result = target.change(RedriveAction.of(checkpoint.checkpoint()), id);
    if (result instanceof RedriveResult.Duplicate duplicate) {
      return Optional.of(
          "job " + duplicate.holder() + " has its unique key, so that it stays dead");
    }
    return result.isDone() ? Optional.empty() : Optional.of(NONE_SUCH);
  }

  @Override
  long all(Target target, QueueName queue, DeadFilter filter) {
    return target.redriveAll(queue, filter, checkpoint.checkpoint());
  }
}
