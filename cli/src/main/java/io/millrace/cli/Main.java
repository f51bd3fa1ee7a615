package io.millrace.cli;

import io.millrace.cli.batch.BatchCommand;
import io.millrace.cli.clients.ClientsCommand;
import io.millrace.cli.command.CommandGroup;
import io.millrace.cli.console.ConsoleCommand;
import io.millrace.cli.dead.DeadCommand;
import io.millrace.cli.demo.DemoCommand;
import io.millrace.cli.job.ExplainCommand;
import io.millrace.cli.job.JobCommand;
import io.millrace.cli.queue.QueueCommand;
import io.millrace.cli.schedules.SchedulesCommand;
import io.millrace.cli.serve.ServeCommand;
import io.millrace.cli.store.BackupCommand;
import io.millrace.cli.store.CopyCommand;
import io.millrace.cli.store.InspectCommand;
import io.millrace.cli.store.ReopenCommand;
import io.millrace.cli.store.RepairCommand;
import io.millrace.cli.store.RestoreCommand;
import io.millrace.cli.store.VerifyCommand;
import io.millrace.cli.top.TopCommand;
import io.millrace.cli.workers.WorkersCommand;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of Millrace. */
@Command(
    name = "millrace",
    description =
        "Millrace, the embedded durable job queue: see it work, look into stores, and take care of"
            + " them. Without a command it shows this help.",
    footer = "%nIn a clone 'millrace bench --help' tells how to measure stores.",
    subcommands = {
      DemoCommand.class,
      InspectCommand.class,
      ExplainCommand.class,
      TopCommand.class,
      ConsoleCommand.class,
      ServeCommand.class,
      ClientsCommand.class,
      WorkersCommand.class,
      SchedulesCommand.class,
      QueueCommand.class,
      JobCommand.class,
      BatchCommand.class,
      DeadCommand.class,
      VerifyCommand.class,
      BackupCommand.class,
      ReopenCommand.class,
      RestoreCommand.class,
      CopyCommand.class,
      RepairCommand.class
    })
public final class Main extends CommandGroup {

  /** Held here, or else its level is forgotten with it. What it would tell, commands say better. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command with its subcommands and with those that another module adds. */
  public static CommandLine commandLine(Object... added) {
    // What is shown can be typed in again, whatever digits the user's locale has.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    GRPC.setLevel(Level.SEVERE);
    CommandLine main = new CommandLine(new Main());
    for (Object command : added) {
      main.addSubcommand(command);
    }
    // Last, for each setting reaches the subcommands that are there by then.
    return main.setOut(StandardOut.writer())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(ErrorReport::ofUsage)
        .setExecutionExceptionHandler(ErrorReport::ofExecution);
  }
}
