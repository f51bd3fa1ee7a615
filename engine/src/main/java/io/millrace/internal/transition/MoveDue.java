package io.millrace.internal.transition;

import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.WriteBatch;

/** Delayed jobs of loaded queues that are due become ready. Answers how often a queue had some. */
public final class MoveDue implements Transition<Integer> {

  /** Walks over queues that one step makes. */
  private static final int QUEUE_COUNT_MAX = 1_000;

  /** A step ends when the batch has grown to this. */
  private static final int OPERATION_COUNT_MAX = 8_192;

  /** A step ends when the batch has grown to so many bytes. */
  private static final long BYTES_MAX = 4L << 20;

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  /** Nothing of its own: {@link DueJobs} takes the room that there is. */
  @Override
  public int operationCountMax() {
    return 0;
  }

  @Override
  public long bytesMax() {
    return 0;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Integer apply(Change change) {
    WorkingSet state = change.state();
    int count = 0;
    boolean hasRoom = true;
    while (hasRoom && count < QUEUE_COUNT_MAX && !isStepOver(change.batch())) {
      QueueState queue = state.firstDue(DelayClock.STEADY, change.sources().steadyMs());
      if (queue == null) {
        queue = state.firstDue(DelayClock.ENGINE, change.sources().nowMs());
      }
      if (queue == null) {
        break;
      }
      hasRoom = DueJobs.move(change, queue, DueJobs.STEP);
      count++;
    }
    return count;
  }

  private static boolean isStepOver(WriteBatch batch) {
    return batch.size() >= OPERATION_COUNT_MAX || batch.bytes() >= BYTES_MAX;
  }
}
