package io.millrace.cli.job;

import io.millrace.api.StuckResult;
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
  Action action() {
    return (target, id) -> {
      StuckResult result = target.failStuck(id, error);
      return new Outcome(result.name(), result.isDone());
    };
  }
}
