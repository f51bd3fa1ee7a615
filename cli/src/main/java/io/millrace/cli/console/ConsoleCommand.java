package io.millrace.cli.console;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.StoreLocation;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.FolderTarget;
import io.millrace.console.Console;
import io.millrace.console.ConsoleSetup;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a store in the browser. */
@Command(
    name = "console",
    description = {
      "Shows a store that no engine has open in the browser: its queues, jobs, dead letters,"
          + " tables.",
      "Nothing is changed. Prints an address of this machine with a token that lets in, and goes on"
          + " until Ctrl-C."
    })
public final class ConsoleCommand extends MillraceCommand {

  @Parameters(
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description = "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store.")
  private String store = "";

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
    String location = StoreLocation.of(store).location();
    try (FolderTarget target =
            FolderTarget.toRead(
                location, lost.lostCommits(), note -> TargetOptions.tell(command, note));
        Console console = start(command, Console.on(target.reader()).name(location))) {
      PrintWriter out = command.getOut();
      out.println(console.link());
      out.flush();
      awaitEnd();
    }
    return ExitCode.OK;
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
