package io.millrace.cli.job;

import io.millrace.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The commands for single jobs. */
@Command(
    name = "job",
    description = {
      "Cancels, releases, reschedules, redrives, updates or signals jobs, or fails those that wait",
      "in vain.",
      "Without a command it shows this help."
    },
    subcommands = {
      JobCancelCommand.class,
      JobReleaseCommand.class,
      JobRescheduleCommand.class,
      JobRedriveCommand.class,
      JobUpdateCommand.class,
      JobSignalCommand.class,
      JobFailStuckCommand.class
    })
public final class JobCommand extends CommandGroup {}
