package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.place.JobAction;
import io.millrace.cli.place.Target;
import io.millrace.management.JobEngineMBean;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Removes dead letters. */
@Command(
    name = "delete",
    description = {"Removes dead letters for good.", "Needs --job, --queue or --all."})
final class DeadDeleteCommand extends DeadChange {

  private static final JobAction<Boolean> DELETE =
      new JobAction<>(
          (engine, id) ->
              engine
                  .get(id)
                  .map(job -> engine.queue(job.queue()).deadLetters().delete(id))
                  .orElse(false),
          JobEngineMBean::deleteDead);

  @Override
  String done() {
    return "deleted";
  }

  @Override
  Optional<String> one(Target target, JobId id) {
    return target.change(DELETE, id) ? Optional.empty() : Optional.of(NONE_SUCH);
  }

  @Override
  long all(Target target, QueueName queue, DeadFilter filter) {
    return target.deleteAll(queue, filter);
  }
}
