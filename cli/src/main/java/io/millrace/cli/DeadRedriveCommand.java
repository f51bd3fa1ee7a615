package io.millrace.cli;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.cli.place.Target;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes dead letters ready again. */
@Command(
    name = "redrive",
    description = {
      "Makes dead letters ready again, with their attempts starting afresh.",
      "Needs --job, --queue or --all."
    })
final class DeadRedriveCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private DeadChange change = new DeadChange();

  @Override
  public Integer call() {
    return change.apply(
        "redriven",
        new DeadChange.Action() {
          @Override
          public boolean one(Target target, JobId id) {
            return target.redrive(id);
          }

          @Override
          public long all(Target target, QueueName queue, DeadFilter filter) {
            return target.redriveAll(queue, filter);
          }
        });
  }
}
