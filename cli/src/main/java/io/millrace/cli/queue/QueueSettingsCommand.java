package io.millrace.cli.queue;

import picocli.CommandLine.Command;

/** Shows the settings of a queue. */
@Command(
    name = "settings",
    description = {
      "Shows the settings of a queue, and which of them it inherits from its name or the defaults.",
      "Changes nothing."
    })
final class QueueSettingsCommand extends SettingsOfQueue {

  @Override
  public Integer call() {
    return show();
  }
}
