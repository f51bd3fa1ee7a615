package io.millrace.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Limits;
import io.millrace.cli.command.Checked;
import io.millrace.options.Checks;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A signal to be sent, and its payload. */
public final class SignalOptions {

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

  /**
   * Returns the signal's name.
   *
   * @throws ParameterException it is too short or too long
   */
  public String name(CommandLine command) {
    return Checked.value(command, () -> Checks.text("--signal", signal, 1, Limits.KEY_BYTES_MAX));
  }

  /**
   * Returns the signal's payload; empty unless given.
   *
   * @throws ParameterException it is too long
   */
  public byte[] payload(CommandLine command) {
    byte[] bytes = payload == null ? new byte[0] : payload.getBytes(UTF_8);
    return Checked.value(
        command, () -> Checks.bytes("signal payload", bytes, Limits.SIGNAL_BYTES_MAX));
  }
}
