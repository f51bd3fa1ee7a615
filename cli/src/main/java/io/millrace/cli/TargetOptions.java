package io.millrace.cli;

import io.millrace.cli.target.EngineChoice;
import io.millrace.cli.target.EngineTarget;
import io.millrace.cli.target.FolderTarget;
import io.millrace.cli.target.Target;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The store that a command is about: one in a folder, or one that a running engine holds. */
final class TargetOptions {

  static final String PID = "--pid";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STORE",
      description = "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store.")
  private @Nullable String argument;

  @Option(
      names = PID,
      paramLabel = "PID",
      description =
          "Ask the process that has the store open; without STORE it must have just one open.")
  private @Nullable Long pid;

  @Option(
      names = "--store-name",
      paramLabel = "NAME",
      description = "With --pid, the engine of this name.")
  private @Nullable String name;

  /** The store to look at. */
  Target toRead(CommandLine command) {
    return target(command, FolderTarget::toRead);
  }

  /** The store to change. */
  Target toChange(CommandLine command) {
    return target(command, FolderTarget::toChange);
  }

  /** The engine to ask, if one was named. */
  Optional<EngineTarget> running(CommandLine command) {
    if (pid == null) {
      if (name != null) {
        throw new ParameterException(command, "--store-name needs --pid");
      }
      return Optional.empty();
    }
    return Optional.of(attach(pid));
  }

  /** The store's folder as it was given, if it was. */
  Optional<Path> folder() {
    return Optional.ofNullable(argument).map(StoreLocation::folder);
  }

  /** Asks the engine of this process that meets what was given. */
  EngineTarget attach(long holder) {
    return EngineTarget.attach(holder, new EngineChoice(Optional.ofNullable(name), folder()));
  }

  private Target target(CommandLine command, Function<String, Target> opening) {
    Optional<EngineTarget> running = running(command);
    if (running.isPresent()) {
      return running.get();
    }
    if (argument == null) {
      throw new ParameterException(
          command, "missing required parameter: 'STORE', or --pid of the process that has it open");
    }
    return opening.apply(StoreLocation.of(argument).location());
  }
}
