package io.millrace.cli.queue;

import io.millrace.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The commands for queues. */
@Command(
    name = "queue",
    description = {
      "Pauses, drains, purges, deletes or configures a queue, or sends its jobs a signal.",
      "Without a command it shows this help."
    },
    subcommands = {
      QueuePauseCommand.class,
      QueueResumeCommand.class,
      QueueDrainCommand.class,
      QueueEndLeaseCommand.class,
      QueueBroadcastCommand.class,
      QueuePurgeCommand.class,
      QueueDeleteCommand.class,
      QueueSettingsCommand.class,
      QueueConfigureCommand.class
    })
public final class QueueCommand extends CommandGroup {}
