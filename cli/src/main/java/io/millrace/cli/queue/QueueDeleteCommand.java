package io.millrace.cli.queue;

import picocli.CommandLine.Command;

/** Deletes a queue with its settings and all of its jobs, leased ones too. */
@Command(
    name = "delete",
    description = {"Deletes a queue with its settings and all of its jobs, leased ones too."})
final class QueueDeleteCommand extends QueueChange {

  @Override
  Action action() {
    return (target, queue) -> new Outcome("deleted", "deleted", target.deleteQueue(queue));
  }
}
