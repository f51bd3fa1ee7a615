package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.QueueState;

/** When a queue that is not in memory must be looked at: its AGENDA row. */
final class Agenda {

  private static final byte[] NOTHING = {};

  private Agenda() {}

  /** Moves the queue's row. A {@link QueueState#NEVER} removes it. */
  static void set(Change change, QueueState queue, long timeMs) {
    if (queue.agendaAtMs() == timeMs) {
      return;
    }
    if (queue.agendaAtMs() != QueueState.NEVER) {
      change.delete(AgendaKeys.key(queue.agendaAtMs(), queue.number()));
    }
    if (timeMs != QueueState.NEVER) {
      change.put(AgendaKeys.key(timeMs, queue.number()), NOTHING);
    }
    queue.setAgendaAtMs(timeMs);
  }

  /**
   * Moves the queue's row if it is too late. One that is too early is only looked at in vain, so a
   * queue that empties and fills leaves its row alone.
   */
  static void putEarlier(Change change, QueueState queue) {
    long dueMs =
        queue.count(JobState.READY) + queue.rowlessCount() > 0
            ? change.sources().nowMs()
            : queue.nextDueMs(change.sources().steadyLeadMs());
    if (dueMs < queue.agendaAtMs()) {
      set(change, queue, dueMs);
    }
  }

  /**
   * Sets the row of a queue that nothing uses to the very time; removes an empty queue that nobody
   * wants any more.
   */
  static void settle(Change change, QueueState queue, long emptyQueueKeptMs) {
    long nowMs = change.sources().nowMs();
    boolean isUnwanted =
        queue.isEmpty()
            && queue.record().origin() == QueueRecord.Origin.SELF_MADE
            && queue.parkedClaims().isEmpty();
    if (isUnwanted
        && queue.emptySinceMs() != 0
        && queue.emptySinceMs() + emptyQueueKeptMs <= nowMs) {
      remove(change, queue);
      return;
    }
    long lookAtMs;
    if (queue.count(JobState.READY) > 0) {
      lookAtMs = Math.min(queue.agendaAtMs(), nowMs);
    } else if (queue.count(JobState.DELAYED) > 0) {
      lookAtMs = queue.nextDueMs(change.sources().steadyLeadMs());
    } else if (isUnwanted) {
      lookAtMs = (queue.emptySinceMs() == 0 ? nowMs : queue.emptySinceMs()) + emptyQueueKeptMs;
    } else {
      lookAtMs = QueueState.NEVER;
    }
    if (lookAtMs != queue.agendaAtMs()) {
      set(change, queue, lookAtMs);
      change.state().markChanged(queue);
    }
  }

  private static void remove(Change change, QueueState queue) {
    set(change, queue, QueueState.NEVER);
    change.delete(QueueKeys.key(queue.name()));
    change.delete(QueueNameKeys.key(queue.number()));
    change.delete(CounterKeys.key(queue.number()));
    change.state().removed(queue);
  }
}
