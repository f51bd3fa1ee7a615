package io.millrace.cli.job;

import io.millrace.api.RedriveResult;
import io.millrace.cli.option.CheckpointOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes dead jobs ready again. */
@Command(
    name = "redrive",
    description = {
      "Makes dead jobs ready again, with their attempts starting afresh.",
      "Needs --job or --where."
    })
final class JobRedriveCommand extends JobChange {

  @Mixin private CheckpointOption checkpoint = new CheckpointOption();

  @Override
  Action action() {
    return (target, id) -> {
      RedriveResult result = target.redrive(id, checkpoint.checkpoint());
      return new Outcome(word(result), result.isDone());
    };
  }

  private static String word(RedriveResult result) {
    if (result instanceof RedriveResult.Duplicate) {
      return "DUPLICATE";
    }
    if (result instanceof RedriveResult.NotDead) {
      return "NOT_DEAD";
    }
    return result.isDone() ? "REDRIVEN" : "GONE";
  }
}
