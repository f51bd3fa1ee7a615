package io.millrace.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.QueueName;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.Printable;
import io.millrace.describe.SettingsTexts;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A command about the settings of a queue or a name: it shows what holds, or what holds then. */
abstract class SettingsOfQueue extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private QueueOption queueOption = new QueueOption();

  @Option(
      names = "--all-tenants",
      description = "The settings of the name of --queue, and so of all tenants of it.")
  private boolean isOfName;

  @Mixin private JsonOption json = new JsonOption();

  /** Shows the settings. */
  final int show() {
    CommandLine command = command();
    QueueName queue = queue(command);
    try (Target target = store.toRead(command)) {
      requireThere(target, queue);
      print(queue, isOfName ? target.settings(queue.name()) : target.settings(queue));
    }
    return ExitCode.OK;
  }

  /** Changes the settings, and shows them. */
  final int change(Map<String, String> changes) {
    CommandLine command = command();
    QueueName queue = queue(command);
    try (Target target = store.toChange(command)) {
      requireThere(target, queue);
      print(
          queue,
          isOfName ? target.configure(queue.name(), changes) : target.configure(queue, changes));
    }
    return ExitCode.OK;
  }

  private QueueName queue(CommandLine command) {
    QueueName queue = queueOption.required(command);
    if (isOfName && queueOption.hasTenant()) {
      throw new ParameterException(command, "--all-tenants goes without --tenant");
    }
    return queue;
  }

  /**
   * Makes sure that the queue is there. Settings of a name hold also for queues that are still to
   * come.
   */
  private void requireThere(Target target, QueueName queue) {
    if (!isOfName) {
      QueueOption.existing(target, Optional.of(queue));
    }
  }

  private void print(QueueName queue, SettingsTexts settings) {
    PrintWriter out = out();
    if (json.isJson()) {
      JsonLines.printObject(out, generator -> write(generator, queue, settings));
    } else {
      settings
          .values()
          .forEach(
              (key, value) ->
                  out.printf(
                      "%-15s %s%s%n",
                      key,
                      Printable.text(value),
                      settings.inherited().contains(key) ? " (inherited)" : ""));
    }
    out.flush();
  }

  private void write(JsonGenerator generator, QueueName queue, SettingsTexts settings)
      throws IOException {
    generator.writeStringField("queue", queue.name());
    if (!isOfName) {
      generator.writeStringField("tenant", queue.tenant());
    }
    for (Map.Entry<String, String> value : settings.values().entrySet()) {
      generator.writeStringField(value.getKey(), value.getValue());
    }
    generator.writeArrayFieldStart("inherited");
    for (String key : settings.inherited()) {
      generator.writeString(key);
    }
    generator.writeEndArray();
  }
}
