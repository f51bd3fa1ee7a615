package io.millrace.cli.queue;

import io.millrace.api.QueueName;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.QueueOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Printable;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** A command that changes a queue: it opens the store, changes the queue, and reports. */
abstract class QueueChange extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private QueueOption queueOption = new QueueOption();
  @Mixin private JsonOption json = new JsonOption();

  /** A change to the queue, which returns its outcome. */
  interface Action {
    Outcome apply(Target target, QueueName queue);
  }

  /**
   * The outcome of a change, as it is reported.
   *
   * @param text the sentence before the queue's name
   * @param field the name under which a program finds the value
   * @param value a text, a number or a truth value
   */
  record Outcome(String text, String field, Object value) {}

  /**
   * Returns what the command does, before the store is opened.
   *
   * @throws ParameterException one of the command's own options is wrong
   */
  abstract Action action();

  /** Makes sure that the queue is there, for a command that needs that. */
  void find(Target target, QueueName queue) {
    QueueOption.existing(target, Optional.of(queue));
  }

  @Override
  public final Integer call() {
    Action action = action();
    QueueName queue = queueOption.required(command());
    Outcome outcome;
    try (Target target = store.toChange(command())) {
      find(target, queue);
      outcome = action.apply(target, queue);
    }
    json.answer(
        out(),
        outcome.text() + " " + Printable.text(queue.toString()),
        generator -> {
          generator.writeStringField("queue", queue.name());
          generator.writeStringField("tenant", queue.tenant());
          generator.writeObjectField(outcome.field(), outcome.value());
        });
    return ExitCode.OK;
  }
}
