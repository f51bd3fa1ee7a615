package io.millrace.cli.queue;

import io.millrace.api.QueueName;
import io.millrace.cli.place.Target;
import picocli.CommandLine.Command;

/** Ends the lease on a queue, whoever has it. */
@Command(
    name = "end-lease",
    description = {
      "Ends the lease that a worker of a running engine has on a queue, so that others are served."
    })
final class QueueEndLeaseCommand extends QueueChange {

  @Override
  Action action() {
    return (target, queue) -> {
      boolean wasThere = target.endQueueLease(queue);
      String text = wasThere ? "ended the lease on" : "nobody had leased";
      return new Outcome(text, "ended", wasThere);
    };
  }

  /**
   * Leaves a queue that is not there to the engine, whose answer it is that nobody had leased it.
   */
  @Override
  void find(Target target, QueueName queue) {}
}
