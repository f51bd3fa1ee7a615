package io.millrace.engine;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.tally.OpenTally;
import io.millrace.internal.transition.transact.Transact;
import io.millrace.internal.transition.transact.TransactionPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parts of the call that begins a batch. */
final class BatchParts {

  private BatchParts() {}

  /**
   * Returns the beginning of the batch: all of it is carried out, or nothing. Jobs of one queue
   * join together, so that unique keys are judged among all of them.
   */
  static Transact beginning(Batch batch, boolean isSealed) {
    TallyRef tally = TallyRef.toBegin();
    List<TransactionPart> parts = new ArrayList<>();
    parts.add(new TransactionPart.NewTally(opening(batch, tally)));
    byQueue(batch.jobs())
        .forEach((queue, jobs) -> parts.add(joining(queue, jobs, TallyTie.to(tally))));
    batch
        .following()
        .forEach(
            (after, placed) ->
                parts.add(
                    joining(placed.queue(), List.of(placed.job()), tie(placed, tally, after))));
    if (isSealed) {
      parts.add(new TransactionPart.OnJob(MarkTally.sealed(tally)));
    }
    return new Transact(parts, List.of());
  }

  /** Returns the beginning of the batch without its jobs. */
  static OpenTally opening(Batch batch, TallyRef tally) {
    return new OpenTally(
        batch.name(),
        batch.outer().map(BatchId::value).orElse(0L),
        batch.retention().toMillis(),
        batch.keepsResults() ? TallyRecord.KEEPS_RESULTS : 0,
        tally);
  }

  private static Map<QueueName, List<NewJob>> byQueue(List<Batch.Placed> jobs) {
    Map<QueueName, List<NewJob>> byQueue = new LinkedHashMap<>();
    for (Batch.Placed placed : jobs) {
      byQueue.computeIfAbsent(placed.queue(), queue -> new ArrayList<>()).add(placed.job());
    }
    return byQueue;
  }

  private static TransactionPart joining(QueueName queue, List<NewJob> jobs, TallyTie tie) {
    return new TransactionPart.NewJobs(new Enqueue(queue, jobs, tie));
  }

  /** Returns what a job that comes after the batch has to do with it, and with its own. */
  static TallyTie tie(Batch.Placed placed, TallyRef awaited, Batch.After after) {
    TallyRef counted =
        placed.job().options().batch().map(id -> TallyRef.of(id.value())).orElse(null);
    Condition condition =
        switch (after) {
          case DONE -> Condition.ENDED;
          case ALL_SUCCEEDED -> Condition.ALL_SUCCEEDED;
          case ANY_DIED -> Condition.ANY_DIED;
        };
    return new TallyTie(counted, awaited, condition);
  }
}
