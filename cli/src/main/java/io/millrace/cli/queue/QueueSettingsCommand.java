package io.millrace.cli.queue;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the settings of a queue. */
@Command(
    name = "settings",
    description = {
      "Shows the settings of a queue, and which of them it inherits from its name or the defaults.",
      "Changes nothing."
    })
final class QueueSettingsCommand extends MillraceCommand {

  @Mixin private SettingsOfQueue settings = new SettingsOfQueue();

  @Override
  public Integer call() {
    return settings.show();
  }
}
