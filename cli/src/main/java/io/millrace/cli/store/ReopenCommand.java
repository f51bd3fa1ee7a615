package io.millrace.cli.store;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.RunningOptions;
import io.millrace.cli.option.StoreLocation;
import io.millrace.cli.place.EngineTarget;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Asks a running engine to open its store again. */
@Command(
    name = "reopen",
    description = {
      "Has a running engine open its store again after a failure that stopped it.",
      "An engine that works is left alone."
    })
public final class ReopenCommand extends MillraceCommand {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description = "The store's folder, if the process has several open.")
  private @Nullable String argument;

  @Mixin private RunningOptions running = new RunningOptions();

  @Override
  public Integer call() {
    CommandLine command = command();
    Optional<Path> folder = Optional.ofNullable(argument).map(StoreLocation::folder);
    boolean wasDown;
    try (EngineTarget engine =
        running
            .engine(command, folder)
            .orElseThrow(
                () ->
                    new ParameterException(
                        command,
                        "say which process: --pid; a store that nobody has open is opened by its"
                            + " next user"))) {
      wasDown = engine.reopen();
    }
    command.getOut().println(wasDown ? "reopened" : "nothing to do: the engine works");
    command.getOut().flush();
    return ExitCode.OK;
  }
}
