package io.millrace.internal.transition.queue;

import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.internal.format.BroadcastRecord;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.KeptSignals;

/**
 * A signal to all jobs of a queue that wait for it. The first step of them goes on with this batch,
 * and the rest is noted in the store, so that it goes on whatever happens. If no job waits, the
 * signal is kept for a while, or not at all; the one of its name before is kept no longer.
 *
 * <p>While a broadcast of a name is under way the next one waits, so that each job has what came
 * first.
 */
public final class Broadcast implements Transition<Broadcast.Begun> {

  private final QueueName queueName;
  private final byte[] name;
  private final byte[] payload;
  private final long keptMs;

  /**
   * The beginning of a broadcast.
   *
   * @param kind how it goes on
   * @param sequence its own, if there is more to do
   * @param wokenCount how many jobs it has woken so far
   */
  public record Begun(Kind kind, long sequence, long wokenCount) {

    /** The ways in which a broadcast goes on. */
    public enum Kind {
      /** The end: the broadcast has reached all jobs that waited. */
      OVER,
      /** More steps: there are more jobs to reach. */
      UNDER_WAY,
      /** Nothing further: no job waited, and the signal is kept if its caller asked for that. */
      KEPT,
      /**
       * Nothing yet: an earlier broadcast of its name is under way, and this one is to be made
       * again.
       */
      BUSY
    }
  }

  /**
   * Creates a broadcast.
   *
   * @param name must not change any more
   * @param payload must not change any more
   * @param keptMs how long the signal is kept if no job waits for it; 0 for not at all
   */
  public Broadcast(QueueName queueName, byte[] name, byte[] payload, long keptMs) {
    this.queueName = queueName;
    this.name = name;
    this.payload = payload;
    this.keptMs = keptMs;
  }

  /** Returns false: a waiting job is leased to nobody. */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  /**
   * Counts the queue, which may come to be, the row of a kept signal, and the timers of that and of
   * the one before.
   */
  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS
        .plus(new Cost(4, 2L * RowBytes.TIMER + 6L * RowBytes.KEY))
        .plusBytes(payload.length + 2L * Limits.KEY_BYTES_MAX);
  }

  @Override
  public long bytes() {
    return payload.length;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Queues.declare(state, reads, queueName);
    QueueState queue = state.known(queueName);
    if (queue != null && queue.exists()) {
      reads.wantByKey(SignalKeys.key(queue.number(), name));
    }
  }

  @Override
  public Begun apply(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    WorkingSet state = batch.state();
    long earlier = queue.exists() ? state.broadcasts().of(queue.number(), name) : 0;
    if (earlier != 0) {
      GoOnBroadcast.step(batch, earlier);
      return new Begun(Begun.Kind.BUSY, 0, 0);
    }
    if (!isAwaited(batch, queue)) {
      keep(batch, queue);
      return new Begun(Begun.Kind.KEPT, 0, 0);
    }
    long sequence = state.takeSequence();
    BroadcastRecord begun = new BroadcastRecord(queue.number(), name, payload, 0, 0);
    batch.onUndo(state.broadcasts().set(sequence, begun));
    GoOnBroadcast.Progress progress = GoOnBroadcast.step(batch, sequence);
    return new Begun(
        progress.isOver() ? Begun.Kind.OVER : Begun.Kind.UNDER_WAY,
        sequence,
        progress.wokenCount());
  }

  private boolean isAwaited(OpenBatch batch, QueueState queue) {
    if (!queue.exists() || queue.count(JobState.WAITING) == 0) {
      return false;
    }
    boolean[] isAny = {false};
    batch.scan(
        WaitingKeys.start(queue.number(), name),
        WaitingKeys.end(queue.number(), name),
        1,
        (key, value) -> {
          isAny[0] = RowCheck.flaw(key, value) == null;
          return !isAny[0];
        });
    return isAny[0];
  }

  private void keep(OpenBatch batch, QueueState queue) {
    if (keptMs > 0) {
      Queues.createIfAbsent(batch, queue);
      byte[] rowKey = SignalKeys.key(queue.number(), name);
      KeptSignals.keep(batch, rowKey, new SignalRecord(payload, batch.steadyMs() + keptMs));
    } else if (queue.exists()) {
      KeptSignals.forget(batch, SignalKeys.key(queue.number(), name));
    }
  }
}
