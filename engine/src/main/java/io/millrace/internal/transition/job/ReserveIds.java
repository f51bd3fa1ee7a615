package io.millrace.internal.transition.job;

import io.millrace.api.Durability;
import io.millrace.api.QueueName;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * The reservation of ids for jobs and tallies to come, so that a caller knows them before these are
 * there. Nothing is stored: births that are never used are left out, and a queue that does not
 * exist yet only has its number kept for it.
 */
public final class ReserveIds implements Transition<ReserveIds.Reserved> {

  private final @Nullable QueueName queueName;
  private final int birthCount;

  /**
   * The parts of the reserved ids.
   *
   * @param queue number of the queue; 0 if none was asked for
   * @param firstBirth the first of as many births as asked for, each one higher than the one before
   */
  public record Reserved(int queue, long firstBirth) {}

  /**
   * Creates a reservation of ids of one queue.
   *
   * @param queueName the queue; null for numbers of tallies, which are of none
   * @param birthCount how many jobs; their births may as well be used in other queues. At least 1
   */
  public ReserveIds(@Nullable QueueName queueName, int birthCount) {
    this.queueName = queueName;
    this.birthCount = birthCount;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    if (queueName != null) {
      Queues.declare(state, reads, queueName);
    }
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Reserved apply(OpenBatch batch) {
    int number = queueName == null ? 0 : number(batch, queueName);
    batch.answerAfter(0, Durability.BUFFERED);
    return new Reserved(number, batch.state().takeSequences(birthCount));
  }

  private static int number(OpenBatch batch, QueueName name) {
    QueueState queue = Queues.named(batch, name);
    return queue.exists() ? queue.number() : batch.state().queueNumbers().reserve(name);
  }

  @Override
  public String toString() {
    return queueName == null ? "for a batch" : "queue=" + queueName;
  }
}
