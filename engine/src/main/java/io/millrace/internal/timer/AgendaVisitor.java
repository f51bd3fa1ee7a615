package io.millrace.internal.timer;

import io.millrace.api.EngineOptions;
import io.millrace.internal.commit.DueWork;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.UnloadIdle;
import io.millrace.internal.transition.VisitAgenda;

/**
 * Lets queues leave memory when nothing has used them for a while, and looks at those outside when
 * their agenda says so.
 *
 * <p>It walks the agenda once, in order of time: rows that lie behind it belong to queues that it
 * has seen, or that were in memory when the rows were written. After an unloading it goes back to
 * the earliest row that this may have left.
 */
public final class AgendaVisitor implements DueWork {

  private final WorkingSet state;
  private final long idleNs;
  private final long emptyQueueKeptMs;
  private VisitAgenda.Next next;

  public AgendaVisitor(WorkingSet state, EngineOptions options) {
    this.state = state;
    this.idleNs = options.queueIdle().toNanos();
    this.emptyQueueKeptMs = options.emptyQueueKept().toMillis();
    this.next = new VisitAgenda.Next(Keyspace.AGENDA.start(), 0);
  }

  @Override
  public long waitNs(DueTime now) {
    return Math.min(Waits.untilMs(now.nowMs(), next.timeMs()), untilIdleNs(now));
  }

  private long untilIdleNs(DueTime now) {
    QueueState first = state.longestIdle(now.nowNs(), idleNs);
    return first == null ? NEVER : Math.max(0, first.usedAtNs() + idleNs - now.nowNs());
  }

  @Override
  public void step(DueTime now, Steps steps) {
    if (untilIdleNs(now) == 0) {
      steps.apply(new UnloadIdle(now.nowNs() - idleNs, emptyQueueKeptMs));
      goBackTo(now.nowMs() + 1);
    }
    if (next.timeMs() <= now.nowMs()) {
      next = steps.apply(new VisitAgenda(next.key(), emptyQueueKeptMs));
    }
  }

  @Override
  public void restart() {
    next = new VisitAgenda.Next(Keyspace.AGENDA.start(), 0);
  }

  /**
   * Rows of queues that were unloaded may lie before the next one known: all of them are in the
   * future.
   */
  private void goBackTo(long timeMs) {
    if (timeMs < next.timeMs()) {
      next = new VisitAgenda.Next(AgendaKeys.key(timeMs, 0), timeMs);
    }
  }
}
