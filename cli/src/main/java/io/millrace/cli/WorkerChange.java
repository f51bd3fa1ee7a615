package io.millrace.cli;

import com.fasterxml.jackson.core.JsonGenerator;
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

/** What acts on a worker have in common: the process, the worker, and the report. */
final class WorkerChange {

  @Mixin private WorkerOptions workers = new WorkerOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** What is done with the worker; answers what is said of it. */
  interface Action {
    Outcome apply(LiveWorker worker);
  }

  /**
   * What is said of an act.
   *
   * @param text for people, with a place for the worker's name
   * @param fields for programs
   */
  record Outcome(String text, Fields fields) {}

  /** What a program is told beside the worker's name. */
  interface Fields {
    void writeTo(JsonGenerator json) throws IOException;
  }

  CommandLine command() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }

  /** Attaches to the process, does it with the one worker that is meant, and reports. */
  int apply(Action action) {
    try (WorkerProcess process = workers.attach(command())) {
      LiveWorker worker = process.worker(workers.choice());
      print(worker, action.apply(worker));
    }
    return ExitCode.OK;
  }

  /** The process and the workers in it that are meant, for what is not done with just one. */
  WorkerProcess attach() {
    return workers.attach(command());
  }

  WorkerOptions workers() {
    return workers;
  }

  /** Says what was done. */
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
