package io.millrace.cli.job;

import io.millrace.api.SignalResult;
import io.millrace.cli.option.SignalOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Sends a signal to jobs. */
@Command(
    name = "signal",
    description = {
      "Sends a signal to jobs: those that wait for it go on, for others it is kept.",
      "Needs --signal, and --job or --where."
    })
final class JobSignalCommand extends JobChange {

  @Mixin private SignalOptions signal = new SignalOptions();

  @Override
  Action action() {
    String name = signal.name(command());
    byte[] payload = signal.payload(command());
    return (target, id) -> {
      SignalResult result = target.signal(id, name, payload);
      return new Outcome(result.name(), result.isDone());
    };
  }
}
