package io.millrace.cli.workers;

import io.millrace.api.Limits;
import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Lets a worker run more or fewer jobs at a time. */
@Command(
    name = "concurrency",
    description = {
      "Has a worker run jobs of this weight at a time.",
      "Those that it runs go on. It holds until the process of the worker ends."
    })
final class WorkersConcurrencyCommand extends MillraceCommand {

  @Parameters(
      index = "0",
      paramLabel = "WEIGHT",
      description = "How much at a time; a job weighs 1 unless it was enqueued with more.")
  private int weight;

  @Mixin private WorkerChange change = new WorkerChange();

  @Override
  public Integer call() {
    if (weight < 1 || weight > Limits.WEIGHT_MAX) {
      throw new ParameterException(
          command(), "WEIGHT is from 1 to %d: %d".formatted(Limits.WEIGHT_MAX, weight));
    }
    return change.apply(
        worker -> {
          worker.concurrency(weight);
          return new WorkerChange.Outcome(
              "concurrency of %s is " + weight,
              json -> json.writeNumberField("concurrency", weight));
        });
  }
}
