package io.millrace.cli.option;

import io.millrace.cli.place.EngineChoice;
import io.millrace.cli.place.EngineTarget;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The running engine that a command asks, if it asks one. */
public final class RunningOptions {

  public static final String PID = "--pid";

  @Option(
      names = PID,
      paramLabel = "PID",
      description = "Ask the process that has the store open; if it has several open, say which.")
  private @Nullable Long pid;

  @Option(
      names = "--store-name",
      paramLabel = "NAME",
      converter = FilledConverter.class,
      description = "With --pid, the engine of this name.")
  private @Nullable String name;

  /**
   * Attaches to the process that was named, if one was.
   *
   * @param folder the folder of the store, if it was given
   */
  public Optional<EngineTarget> engine(CommandLine command, Optional<Path> folder) {
    if (pid == null) {
      if (name != null) {
        throw new ParameterException(command, "--store-name needs --pid");
      }
      return Optional.empty();
    }
    if (command.getParseResult().hasMatchedOption(LostCommitsOption.NAME)) {
      throw new ParameterException(
          command,
          LostCommitsOption.NAME + " goes with a store that is opened here, not with " + PID);
    }
    return Optional.of(attach(pid, folder));
  }

  /** Attaches to this process. */
  EngineTarget attach(long holder, Optional<Path> folder) {
    return EngineTarget.attach(holder, new EngineChoice(Optional.ofNullable(name), folder));
  }
}
