package io.millrace.cli.command;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command, with the options that every command has; it answers its exit code. */
public abstract class MillraceCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Spec private @Nullable CommandSpec spec;

  /** Returns the command line that this was made of, to which a wrong option belongs. */
  protected final CommandLine command() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }

  /** Returns where the output goes. */
  protected final PrintWriter out() {
    return command().getOut();
  }
}
