package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.QueueState;

/** What a queue leaves behind when nothing uses it: an exact agenda row, or nothing at all. */
final class QueueCare {

  private QueueCare() {}

  /**
   * Sets the queue's agenda row to when it must be looked at; removes an empty queue that nobody
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
      change.setAgenda(queue, lookAtMs);
      change.state().markChanged(queue);
    }
  }

  private static void remove(Change change, QueueState queue) {
    change.setAgenda(queue, QueueState.NEVER);
    change.delete(QueueKeys.key(queue.name()));
    change.delete(QueueNameKeys.key(queue.number()));
    change.delete(CounterKeys.key(queue.number()));
    change.state().removed(queue);
  }
}
