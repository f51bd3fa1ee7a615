package io.millrace.cli.option;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.FolderTarget;
import io.millrace.cli.place.LiveTarget;
import io.millrace.cli.place.ReadableStore;
import io.millrace.cli.place.ServerTarget;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Printable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The store that a command is about: one in a folder, or one that a running engine holds. */
public final class TargetOptions {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description =
          "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store"
              + ServerOptions.OR_SERVER)
  private @Nullable String argument;

  @Mixin private RunningOptions running = new RunningOptions();
  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private LostCommitsOption lost = new LostCommitsOption();

  /**
   * Creates the options of a command that reads its parameters itself; no store if the argument is
   * null.
   */
  public static TargetOptions of(
      @Nullable String argument,
      RunningOptions running,
      ServerOptions server,
      LostCommitsOption lost) {
    TargetOptions given = new TargetOptions();
    given.argument = argument;
    given.running = running;
    given.server = server;
    given.lost = lost;
    return given;
  }

  /** Opens the store to look at it. */
  public Target toRead(CommandLine command) {
    return target(
        command,
        location -> FolderTarget.toRead(location, lost.lostCommits(), note -> tell(command, note)));
  }

  /** Opens the store to change it. */
  public Target toChange(CommandLine command) {
    return target(command, location -> FolderTarget.toChange(location, lost.lostCommits()));
  }

  /** Writes a note to standard error, beside the command's output. */
  public static void tell(CommandLine command, String note) {
    command.getErr().println("millrace: " + Printable.text(note));
    command.getErr().flush();
  }

  /** Connects to the server, or attaches to the engine, to ask, if one was named. */
  public Optional<LiveTarget> live(CommandLine command) {
    Optional<ServerTarget> asked = server.connect(command, argument);
    return asked.isPresent()
        ? Optional.of(asked.get())
        : running.engine(command, folder()).map(engine -> engine);
  }

  /** Returns the store's folder as it was given, if it was. */
  public Optional<Path> folder() {
    return Optional.ofNullable(argument)
        .filter(ReadableStore::isInFolder)
        .map(StoreLocation::folder);
  }

  /** Returns the error that the folder of a store is needed to find its engine. */
  public RuntimeException noFolder(CommandLine command) {
    return argument == null
        ? noStore(command)
        : new CannotException(
            "this asks the engine that has the store open, and where it is, a database does not"
                + " say: give --pid of its process on this machine, or millrace://HOST:PORT if it"
                + " is served");
  }

  /** Attaches to the engine of this process that meets the given conditions. */
  public EngineTarget attach(long holder) {
    return running.attach(holder, folder());
  }

  private Target target(CommandLine command, Function<String, Target> opening) {
    Optional<LiveTarget> live = live(command);
    if (live.isPresent()) {
      return live.get();
    }
    if (argument == null) {
      throw noStore(command);
    }
    return opening.apply(StoreLocation.of(argument).location());
  }

  /** Returns the error that neither a store nor a process was named. */
  public static ParameterException noStore(CommandLine command) {
    return new ParameterException(
        command, "missing required parameter: 'STORE', or --pid of the process that has it open");
  }
}
