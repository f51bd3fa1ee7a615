package io.millrace.cli.job;

import io.millrace.api.SignalResult;
import io.millrace.cli.command.MillraceCommand;
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
final class JobSignalCommand extends MillraceCommand {

  @Mixin private JobChange change = new JobChange();
  @Mixin private SignalOptions signal = new SignalOptions();

  @Override
  public Integer call() {
    String name = signal.name(change.command());
    byte[] payload = signal.payload(change.command());
    return change.apply(
        (target, id) -> {
          SignalResult result = target.signal(id, name, payload);
          return new JobChange.Outcome(result.name(), result.isDone());
        });
  }
}
