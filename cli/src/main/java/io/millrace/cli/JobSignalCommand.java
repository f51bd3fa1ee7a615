package io.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Limits;
import io.millrace.api.SignalResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Sends a signal to jobs. */
@Command(
    name = "signal",
    description = {
      "Sends a signal to jobs: those that wait for it go on, for others it is kept.",
      "Needs --job and --signal."
    })
final class JobSignalCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private JobChange change = new JobChange();

  @Option(
      names = "--signal",
      paramLabel = "NAME",
      required = true,
      description = "The name that the jobs wait for.")
  private String signal = "";

  @Option(
      names = "--payload",
      paramLabel = "TEXT",
      description = "What they are told with it; nothing unless given.")
  private @Nullable String payload;

  @Override
  public Integer call() {
    byte[] bytes = payload == null ? new byte[0] : payload.getBytes(UTF_8);
    try {
      Limits.text("--signal", signal, 1, Limits.KEY_BYTES_MAX);
      Limits.signalPayload(bytes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(change.command(), String.valueOf(e.getMessage()), e);
    }
    return change.apply(
        (target, id) -> {
          SignalResult result = target.signal(id, signal, bytes);
          return new JobChange.Outcome(result.name(), result.isDone());
        });
  }
}
