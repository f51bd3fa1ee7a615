package io.millrace.cli.place;

import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobId;
import io.millrace.api.RedriveResult;

/** The redrive of a dead letter by its id. */
public final class RedriveAction {

  private RedriveAction() {}

  /**
   * Returns the action.
   *
   * @param checkpointed what becomes of the state that the last checkpoint kept
   */
  public static JobAction<RedriveResult> of(Checkpointed checkpointed) {
    return new JobAction<>(
        (engine, id) ->
            engine
                .get(id)
                .map(job -> engine.queue(job.queue()).deadLetters().redrive(id, checkpointed))
                .orElse(new RedriveResult.Gone()),
        (engine, id) -> result(engine.redrive(id, checkpointed.name())));
  }

  /** Reads the result of a redrive: a word, and for a duplicate the job that holds its key. */
  private static RedriveResult result(String told) {
    String[] words = told.split(" ");
    return switch (words[0]) {
      case "REDRIVEN" -> new RedriveResult.Redriven();
      case "NOT_DEAD" -> new RedriveResult.NotDead();
      case "DUPLICATE" -> new RedriveResult.Duplicate(JobId.parse(words[1]));
      case "GONE" -> new RedriveResult.Gone();
      default -> throw OtherProcess.unknown(told);
    };
  }
}
