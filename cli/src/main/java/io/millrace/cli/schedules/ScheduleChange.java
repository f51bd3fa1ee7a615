package io.millrace.cli.schedules;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.place.ScheduleTarget;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.Printable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of changes to a schedule: the store, the schedule, and the report. */
final class ScheduleChange {

  @Mixin private ScheduleOptions store = new ScheduleOptions();
  @Mixin private ScheduleOption schedule = new ScheduleOption();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A change to the schedule, which returns its outcome; empty if the schedule is not there. */
  interface Action {
    Optional<Outcome> apply(ScheduleTarget target, String name);
  }

  /**
   * The outcome of a change, as it is reported.
   *
   * @param text the words before the schedule's name, for people
   * @param fields the fields, for programs
   */
  record Outcome(String text, Fields fields) {}

  /** The fields of a report beside the schedule's name, for programs. */
  interface Fields {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Opens the store, changes the schedule, which must be there, and reports. */
  int apply(Action action) {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    String name = schedule.name(command);
    Outcome outcome;
    try (ScheduleTarget target = store.toChange(command)) {
      outcome = schedule.there(name, () -> action.apply(target, name));
    }
    if (json.isJson()) {
      JsonLines.print(
          command.getOut(),
          generator -> {
            generator.writeStartObject();
            generator.writeStringField("schedule", name);
            outcome.fields().writeTo(generator);
            generator.writeEndObject();
          });
    } else {
      command.getOut().printf("%s %s%n", outcome.text(), Printable.text(name));
    }
    command.getOut().flush();
    return ExitCode.OK;
  }
}
