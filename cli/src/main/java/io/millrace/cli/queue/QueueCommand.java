package io.millrace.cli.queue;

import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.Help;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
public final class QueueCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    return Help.show(spec);
  }
}
