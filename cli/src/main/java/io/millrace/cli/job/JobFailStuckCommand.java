package io.millrace.cli.job;

import io.millrace.api.StuckResult;
import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives up jobs that wait for a signal. */
@Command(
    name = "fail-stuck",
    description = {
      "Makes jobs dead letters that wait for a signal which will not come.",
      "Needs --job or --where."
    })
final class JobFailStuckCommand extends MillraceCommand {

  @Mixin private JobChange change = new JobChange();

  @Option(
      names = "--error",
      paramLabel = "TEXT",
      description = "What is kept as their error; \"given up by an operator\" unless given.")
  private String error = "given up by an operator";

  @Override
  public Integer call() {
    return change.apply(
        (target, id) -> {
          StuckResult result = target.failStuck(id, error);
          return new JobChange.Outcome(result.name(), result.isDone());
        });
  }
}
