package io.millrace.cli.batch;

import io.millrace.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The commands for batches. */
@Command(
    name = "batch",
    description = {
      "Lists, shows, cancels or awaits batches of jobs.",
      "Without a command it shows this help."
    },
    subcommands = {
      BatchListCommand.class,
      BatchShowCommand.class,
      BatchCancelCommand.class,
      BatchAwaitCommand.class
    })
public final class BatchCommand extends CommandGroup {}
