package io.millrace.cli.job;

import io.millrace.api.StuckResult;
import io.millrace.cli.place.JobAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives up jobs that wait for a signal. */
@Command(
    name = "fail-stuck",
    description = {
      "Makes jobs dead letters that wait for a signal which will not come.",
      "Needs --job or --where."
    })
final class JobFailStuckCommand extends JobChange {

  @Option(
      names = "--error",
      paramLabel = "TEXT",
      description = "What is kept as their error; \"given up by an operator\" unless given.")
  private String error = "given up by an operator";

  @Override
  JobAction<Outcome> action() {
    return named(
        StuckResult.class,
        (engine, id) -> engine.admin().failStuck(id, error),
        (engine, id) -> engine.failStuck(id, error));
  }
}
