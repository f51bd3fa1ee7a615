package io.millrace.cli.job;

import io.millrace.api.RedriveResult;
import io.millrace.cli.option.CheckpointOption;
import io.millrace.cli.place.JobAction;
import io.millrace.cli.place.RedriveAction;
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
  JobAction<Outcome> action() {
    return RedriveAction.of(checkpoint.checkpoint())
        .map(result -> new Outcome(word(result), result.isDone()));
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
