package io.millrace.cli.console;

import io.millrace.api.Limits;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.RunningOptions;
import io.millrace.cli.option.StoreLocation;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.FolderTarget;
import io.millrace.console.Console;
import io.millrace.console.ConsoleSetup;
import io.millrace.console.source.Changes;
import io.millrace.console.source.Sourced;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows a store in the browser. */
@Command(
    name = "console",
    description = {
      "Shows a store in the browser: its queues, jobs, dead letters, tables.",
      "A STORE that no engine has open is not changed. With --pid it is the store of an engine in"
          + " another process, which is asked, and makes the changes; --read-only allows none.",
      "Prints an address of this machine with a token that lets in, and goes on until Ctrl-C."
    })
public final class ConsoleCommand extends MillraceCommand {

  /** The time that an answer of another process is waited for. */
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);

  @Parameters(
      arity = "0..1",
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description = "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store.")
  private @Nullable String store;

  @Mixin private RunningOptions running = new RunningOptions();

  @Option(names = "--read-only", description = "With --pid, let nobody change anything.")
  private boolean isReadOnly;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port to listen on, on the loopback address; 0 for a free one (default).")
  private int port;

  @Mixin private LostCommitsOption lost = new LostCommitsOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    if (store != null && command.getParseResult().hasMatchedOption(RunningOptions.PID)) {
      throw new ParameterException(
          command,
          "say STORE, which no engine has open, or %s, one of them; --store-name chooses among the"
                  .formatted(RunningOptions.PID)
              + " engines of a process");
    }
    Optional<EngineTarget> engine = running.engine(command, Optional.empty());
    if (engine.isPresent()) {
      showProcess(command, engine.get());
    } else if (store != null) {
      showFolder(command, StoreLocation.of(store).location());
    } else {
      throw TargetOptions.noStore(command);
    }
    return ExitCode.OK;
  }

  private void showFolder(CommandLine command, String location) {
    try (FolderTarget target =
        FolderTarget.toRead(
            location, lost.lostCommits(), note -> TargetOptions.tell(command, note))) {
      show(command, Console.on(target.reader()).name(end(target.location())));
    }
  }

  private void showProcess(CommandLine command, EngineTarget engine) {
    try (Patience patience =
        new Patience(engine.pid(), engine::location, engine::close, ANSWER_WAIT)) {
      ConsoleSetup setup =
          Console.on(Sourced.of(noChanges -> source(engine, patience, noChanges)))
              .name(end(engine.location() + " of process " + engine.pid()));
      show(command, isReadOnly ? setup.readOnly() : setup);
    }
  }

  private static ProcessSource source(EngineTarget engine, Patience patience, boolean noChanges) {
    Optional<Changes> changes =
        noChanges ? Optional.empty() : Optional.of(new ProcessChanges(engine, patience));
    return new ProcessSource(engine, patience, changes);
  }

  /** Returns the name, or the end of it if it is longer than that of a console may be. */
  private static String end(String name) {
    String end = name;
    while (end.getBytes(StandardCharsets.UTF_8).length > Limits.NAME_BYTES_MAX) {
      end = end.substring(end.offsetByCodePoints(0, 1));
    }
    return end;
  }

  private void show(CommandLine command, ConsoleSetup setup) {
    try (Console console = start(command, setup)) {
      PrintWriter out = command.getOut();
      out.println(console.link());
      out.flush();
      awaitEnd();
    }
  }

  private Console start(CommandLine command, ConsoleSetup setup) {
    Checked.value(command, () -> setup.port(port));
    try {
      return setup.start();
    } catch (UncheckedIOException e) {
      throw new CannotException(e.getMessage() + "; choose another port by --port", e);
    }
  }

  /** Waits until the process is told to end, or the thread is. */
  private static void awaitEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
