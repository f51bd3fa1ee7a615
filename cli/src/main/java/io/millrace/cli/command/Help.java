package io.millrace.cli.command;

import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The answer of a command that only groups others, when it is given alone. */
public final class Help {

  private Help() {}

  /**
   * Shows how the command is used; returns {@link ExitCode#OK}, since nothing else was asked for.
   */
  public static int show(@Nullable CommandSpec spec) {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    PrintWriter out = command.commandLine().getOut();
    command.commandLine().usage(out);
    out.flush();
    return ExitCode.OK;
  }
}
