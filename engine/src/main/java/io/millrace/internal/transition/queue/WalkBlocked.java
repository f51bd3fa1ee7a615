package io.millrace.internal.transition.queue;

import io.millrace.api.QueueName;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.HandOn;
import org.jspecify.annotations.Nullable;

/**
 * A step of a walk over the concurrency keys of a queue's blocked jobs: as many jobs of each key go
 * on as a setting that was raised allows. The answer is the number of keys that were seen.
 */
public final class WalkBlocked implements Transition<Integer> {

  /** The most keys of one step. */
  private static final int STEP = 1_000;

  private final QueueName queueName;

  public WalkBlocked(QueueName queueName) {
    this.queueName = queueName;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  /** Counts the queue and its counters: the step takes the room that there is. */
  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS.plusBytes(RowBytes.COUNTERS);
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Queues.declare(state, reads, queueName);
  }

  @Override
  public Integer apply(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    if (!queue.isHandOnDue()) {
      batch.state().slots().endRaised(queueName);
      return 0;
    }
    int[] count = {0};
    batch.aside(() -> count[0] = walk(batch, queue));
    return count[0];
  }

  private static int walk(OpenBatch batch, QueueState queue) {
    byte[] walked = queue.perKeyDone().walkFrom(queue.settings().perKey());
    byte[] from = walked == null ? BlockedKeys.startOfQueueKeys(queue.number()) : walked;
    int count = 0;
    int beganWith = batch.writes().size();
    while (count < STEP
        && !batch.isStepOver(beganWith, Cost.HAND_ON.operations())
        && batch.hasRoomToSpare(Cost.HAND_ON.plus(Cost.SLOT))) {
      byte[] concurrencyKey = queue.perKeyDone().walkedKey();
      if (concurrencyKey == null) {
        byte[] first = firstFrom(batch, queue.number(), from);
        if (first == null) {
          queue.perKeyDone().endWalk();
          batch.state().markChanged(queue);
          return count;
        }
        concurrencyKey = BlockedKeys.concurrencyKey(first);
        queue.perKeyDone().walkedAt(concurrencyKey);
      }
      if (HandOn.key(batch, queue, concurrencyKey) == HandOn.Left.NOTHING) {
        from = BlockedKeys.end(queue.number(), concurrencyKey);
        queue.perKeyDone().walkedTo(from);
      }
      count++;
    }
    return count;
  }

  /**
   * Returns the first key that is laid out as it should be; null if there is none. Jobs that this
   * batch has blocked are not seen: they are blocked by the setting of today.
   */
  private static byte @Nullable [] firstFrom(OpenBatch batch, int queue, byte[] from) {
    byte[][] first = new byte[1][];
    batch.scanStored(
        from,
        Keyspace.BLOCKED.queueEnd(queue),
        1,
        (key, value) -> {
          if (RowCheck.flaw(key) == null) {
            first[0] = key;
          } else {
            batch.reportCorrupt(key);
          }
          return first[0] == null;
        });
    return first[0];
  }
}
