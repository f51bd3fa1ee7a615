package io.millrace.internal.transition.queue;

import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;

/** The AGENDA row of a queue: when the queue must be looked at though it is not in memory. */
public final class Agenda {

  private static final byte[] NOTHING = {};

  /**
   * The time for which an empty queue is left alone whose unique keys or signals outlive its jobs.
   */
  private static final long KEYED_LOOK_MS = 3_600_000;

  private Agenda() {}

  /** Moves the queue's row to the time. {@link QueueState#NEVER} removes it. */
  static void set(OpenBatch batch, QueueState queue, long timeMs) {
    if (queue.agendaAtMs() == timeMs) {
      return;
    }
    if (queue.agendaAtMs() != QueueState.NEVER) {
      batch.delete(AgendaKeys.key(queue.agendaAtMs(), queue.number()));
    }
    if (timeMs != QueueState.NEVER) {
      batch.put(AgendaKeys.key(timeMs, queue.number()), NOTHING);
    }
    queue.setAgendaAtMs(timeMs);
  }

  /**
   * Moves the queue's row if it is too late. One that is too early is only looked at in vain, so a
   * queue that empties and fills leaves its row alone.
   */
  public static void putEarlier(OpenBatch batch, QueueState queue) {
    long dueMs =
        queue.count(JobState.READY) + queue.rowlessCount() > 0
            ? batch.context().nowMs()
            : queue.nextDelayed().dueMs(batch.context().steadyLeadMs());
    if (dueMs < queue.agendaAtMs()) {
      set(batch, queue, dueMs);
    }
  }

  /**
   * Sets the row of a queue that nothing uses to the exact time; removes an empty queue that is no
   * longer wanted.
   */
  public static void setExact(OpenBatch batch, QueueState queue, long emptyQueueKeptMs) {
    long nowMs = batch.context().nowMs();
    boolean isUnwanted =
        queue.isEmpty()
            && queue.record().origin() == QueueRecord.Origin.SELF_MADE
            && queue.parkedClaims().isEmpty();
    boolean isOver =
        isUnwanted && queue.emptySinceMs() != 0 && queue.emptySinceMs() + emptyQueueKeptMs <= nowMs;
    boolean isKeyed =
        isOver
            && (hasAny(batch, Keyspace.UNIQUE, queue.number())
                || hasAny(batch, Keyspace.SIGNAL, queue.number()));
    if (isOver && !isKeyed) {
      remove(batch, queue);
      return;
    }
    long lookAtMs;
    if (queue.count(JobState.READY) > 0) {
      lookAtMs = Math.min(queue.agendaAtMs(), nowMs);
    } else if (queue.count(JobState.DELAYED) > 0) {
      lookAtMs = queue.nextDelayed().dueMs(batch.context().steadyLeadMs());
    } else if (isKeyed) {
      lookAtMs = nowMs + KEYED_LOOK_MS;
    } else if (isUnwanted) {
      lookAtMs = (queue.emptySinceMs() == 0 ? nowMs : queue.emptySinceMs()) + emptyQueueKeptMs;
    } else {
      lookAtMs = QueueState.NEVER;
    }
    if (lookAtMs != queue.agendaAtMs()) {
      set(batch, queue, lookAtMs);
      batch.state().markChanged(queue);
    }
  }

  /**
   * Tells whether the queue has rows of the keyspace: unique keys that outlive their jobs, or
   * signals that are kept until a job waits for them. They would go with the queue.
   */
  private static boolean hasAny(OpenBatch batch, Keyspace keyspace, int queue) {
    boolean[] isThere = {false};
    batch.scan(
        keyspace.queueStart(queue),
        keyspace.queueEnd(queue),
        1,
        (key, value) -> {
          isThere[0] = true;
          return false;
        });
    return isThere[0];
  }

  private static void remove(OpenBatch batch, QueueState queue) {
    set(batch, queue, QueueState.NEVER);
    batch.delete(QueueKeys.key(queue.name()));
    batch.delete(QueueNameKeys.key(queue.number()));
    batch.delete(CounterKeys.key(queue.number()));
    batch.state().removed(queue);
  }
}
