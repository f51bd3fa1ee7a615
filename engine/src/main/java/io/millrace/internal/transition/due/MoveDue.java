package io.millrace.internal.transition.due;

import io.millrace.internal.state.Cost;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.DueJobs;
import io.millrace.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The move of due delayed jobs of loaded queues, which become ready. The answer is the queues whose
 * jobs could not be read: they are watched no longer, so that the others go on.
 */
public final class MoveDue implements Transition<List<QueueState>> {

  private static final Logger LOG = LoggerFactory.getLogger(MoveDue.class);

  /** The most walks over queues that one step makes. */
  private static final int QUEUE_COUNT_MAX = 1_000;

  /** The operations for one job: DELAYED, READY and MOVED. */
  private static final int MOVE_OPERATIONS = 3;

  /** The bytes to which the batch may grow before a step ends. */
  private static final long BYTES_MAX = 4L << 20;

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  /** Counts nothing: {@link DueJobs} takes the room that there is. */
  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public List<QueueState> apply(OpenBatch batch) {
    WorkingSet state = batch.state();
    List<QueueState> unreadable = new ArrayList<>(0);
    int count = 0;
    int beganWith = batch.writes().size();
    boolean hasRoom = true;
    while (hasRoom
        && count < QUEUE_COUNT_MAX
        && !batch.isStepOver(beganWith, MOVE_OPERATIONS)
        && batch.writes().bytes() < BYTES_MAX) {
      QueueState queue = state.firstDue(DelayClock.STEADY, batch.context().steadyMs());
      if (queue == null) {
        queue = state.firstDue(DelayClock.ENGINE, batch.context().nowMs());
      }
      if (queue == null) {
        break;
      }
      try {
        hasRoom = DueJobs.move(batch, queue, batch.context().stepRows());
      } catch (StoreException e) {
        LOG.warn("delayed jobs cannot be made ready yet: queue={}", queue.name(), e);
        state.unwatch(queue);
        unreadable.add(queue);
      }
      count++;
    }
    return unreadable;
  }
}
