package io.millrace.cli.workers;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.WorkerOptions;
import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.place.WorkerProcess;
import io.millrace.cli.text.JsonLines;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of changes to a worker: the process, the worker, and the report. */
final class WorkerChange {

  @Mixin private WorkerOptions workers = new WorkerOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A change to the worker, which returns its outcome. */
  interface Action {
    Outcome apply(LiveWorker worker);
  }

  /**
   * The outcome of a change, as it is reported.
   *
   * @param text the text for people, with a place for the worker's name
   * @param fields the fields for programs
   */
  record Outcome(String text, Fields fields) {}

  /** The fields of a report beside the worker's name, for programs. */
  interface Fields {
    void writeTo(JsonGenerator json) throws IOException;
  }

  CommandLine command() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }

  /** Attaches to the process, changes the one worker that is meant, and reports. */
  int apply(Action action) {
    try (WorkerProcess process = workers.attach(command())) {
      LiveWorker worker = process.worker(workers.choice());
      print(worker, action.apply(worker));
    }
    return ExitCode.OK;
  }

  /** Attaches to the process, for a change that may concern several workers. */
  WorkerProcess attach() {
    return workers.attach(command());
  }

  WorkerOptions workers() {
    return workers;
  }

  /** Reports the outcome of a change. */
  void print(LiveWorker worker, Outcome outcome) {
    if (json.isJson()) {
      JsonLines.print(
          command().getOut(),
          generator -> {
            generator.writeStartObject();
            generator.writeStringField("worker", worker.name());
            generator.writeNumberField("instance", worker.instance());
            outcome.fields().writeTo(generator);
            generator.writeEndObject();
          });
    } else {
      command().getOut().println(outcome.text().formatted(WorkerOptions.label(worker)));
    }
    command().getOut().flush();
  }
}
