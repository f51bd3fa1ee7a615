package io.millrace.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.QueueName;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.Printable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of changes to a queue: the store, the queue, and the report. */
final class QueueChange {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private QueueOption queueOption = new QueueOption();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A change to the queue, which returns its outcome. */
  interface Action {
    Outcome apply(Target target, QueueName queue);
  }

  /**
   * The outcome of a change, as it is reported.
   *
   * @param text the sentence before the queue's name
   * @param field the name under which a program finds the value
   */
  record Outcome(String text, String field, Object value) {}

  CommandLine command() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }

  /** Opens the store, changes the queue, which must be there, and reports. */
  int apply(Action action) {
    return applyToName(
        (target, queue) -> {
          QueueOption.existing(target, Optional.of(queue));
          return action.apply(target, queue);
        });
  }

  /** Opens the store, changes the queue, which need not be there, and reports. */
  int applyToName(Action action) {
    CommandLine command = command();
    QueueName queue = queueOption.required(command);
    Outcome outcome;
    try (Target target = store.toChange(command)) {
      outcome = action.apply(target, queue);
    }
    if (json.isJson()) {
      JsonLines.print(command.getOut(), generator -> write(generator, queue, outcome));
    } else {
      command.getOut().printf("%s %s%n", outcome.text(), Printable.text(queue.toString()));
    }
    command.getOut().flush();
    return ExitCode.OK;
  }

  private static void write(JsonGenerator generator, QueueName queue, Outcome outcome)
      throws IOException {
    generator.writeStartObject();
    generator.writeStringField("queue", queue.name());
    generator.writeStringField("tenant", queue.tenant());
    if (outcome.value() instanceof Boolean flag) {
      generator.writeBooleanField(outcome.field(), flag);
    } else if (outcome.value() instanceof Long count) {
      generator.writeNumberField(outcome.field(), count);
    } else {
      generator.writeStringField(outcome.field(), outcome.value().toString());
    }
    generator.writeEndObject();
  }
}
