package io.millrace.cli.job;

import io.millrace.api.SignalResult;
import io.millrace.cli.option.SignalOptions;
import io.millrace.cli.place.JobAction;
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
  JobAction<Outcome> action() {
    String name = signal.name(command());
    byte[] payload = signal.payload(command());
    return named(
        SignalResult.class,
        (engine, id) -> engine.signal(id, name, payload),
        (engine, id) -> engine.signal(id, name, payload));
  }
}
