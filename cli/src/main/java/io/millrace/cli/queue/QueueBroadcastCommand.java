package io.millrace.cli.queue;

import io.millrace.cli.option.SignalOptions;
import io.millrace.console.text.Amounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Sends a signal to all jobs of a queue that wait for it. */
@Command(
    name = "broadcast",
    description = {
      "Sends a signal to all jobs of a queue that wait for it.",
      "If none does it is kept for 7 days for the first. Needs --queue and --signal."
    })
final class QueueBroadcastCommand extends QueueChange {

  @Mixin private SignalOptions signal = new SignalOptions();

  @Override
  Action action() {
    String name = signal.name(command());
    byte[] payload = signal.payload(command());
    return (target, queue) -> {
      long count = target.broadcast(queue, name, payload);
      String text =
          count == 0
              ? "nobody waits, kept for the first who does:"
              : "woke " + Amounts.count(count, "job") + " of";
      return new Outcome(text, "woken", count);
    };
  }
}
