package io.millrace.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line of Millrace. */
@Command(
    name = "millrace",
    description =
        "Millrace, the embedded durable job queue: see it work, look into stores, and take care of"
            + " them.",
    subcommands = {
      DemoCommand.class,
      InspectCommand.class,
      DeadCommand.class,
      VerifyCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      CopyCommand.class,
      RepairCommand.class
    })
public final class Main {

  @Mixin private CommonOptions common = new CommonOptions();

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(ErrorReport::ofUsage)
        .setExecutionExceptionHandler(ErrorReport::ofExecution);
  }
}
