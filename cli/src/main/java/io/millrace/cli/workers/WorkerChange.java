package io.millrace.cli.workers;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.WorkerOptions;
import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.place.WorkerProcess;
import io.millrace.cli.text.JsonLines;
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
   * @param fields the fields beside the worker's name, for programs
   */
  record Outcome(String text, JsonLines.Document fields) {}

  private CommandLine command() {
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
    json.answer(
        command().getOut(),
        outcome.text().formatted(WorkerOptions.label(worker)),
        generator -> {
          generator.writeStringField("worker", worker.name());
          generator.writeNumberField("instance", worker.instance());
          outcome.fields().writeTo(generator);
        });
  }
}
