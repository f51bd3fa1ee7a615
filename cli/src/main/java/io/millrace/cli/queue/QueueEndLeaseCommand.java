package io.millrace.cli.queue;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends the lease on a queue, whoever has it. */
@Command(
    name = "end-lease",
    description = {
      "Ends the lease that a worker of a running engine has on a queue, so that others are served."
    })
final class QueueEndLeaseCommand extends MillraceCommand {

  @Mixin private QueueChange change = new QueueChange();

  @Override
  public Integer call() {
    return change.applyToName(
        (target, queue) -> {
          boolean wasThere = target.endQueueLease(queue);
          String text = wasThere ? "ended the lease on" : "nobody had leased";
          return new QueueChange.Outcome(text, "ended", wasThere);
        });
  }
}
