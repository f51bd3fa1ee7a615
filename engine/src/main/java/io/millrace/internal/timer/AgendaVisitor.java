package io.millrace.internal.timer;

import io.millrace.api.EngineOptions;
import io.millrace.internal.commit.DueWork;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.due.UnloadIdle;
import io.millrace.internal.transition.due.VisitAgenda;

/**
 * The visitor of the agenda: lets queues leave memory when nothing has used them for a while, or
 * when there are more than the heap has room for, and looks at those outside when their agenda says
 * so.
 *
 * <p>It walks the agenda once, in order of time: rows that lie behind it belong to queues that it
 * has seen, or that were in memory when the rows were written. After an unloading it goes back to
 * the earliest row that this may have left.
 *
 * <p>A queue with ready jobs has a row in the past, and the visitor leaves it outside. That one row
 * cannot also say when the queue's next delayed job is due. Of all queues that were left outside,
 * only the earliest such time is remembered, and the walk begins anew when it comes. That takes no
 * memory for each queue, but looks at others in vain; so that it does not do so often, a walk over
 * many rows is not soon followed by the next.
 */
public final class AgendaVisitor implements DueWork {

  /** The number of rows of a walk for which the next walk begins a millisecond later. */
  private static final int ROWS_PER_MS = 10;

  /** The divisor of the heap that gives the part that queues may take. */
  private static final int HEAP_PARTS = 8;

  /** The heap that a queue takes without its jobs, and a little more. */
  private static final int QUEUE_BYTES = 1_500;

  private static final int QUEUE_COUNT_LEAST = 1_000;

  /** The most queues that leave together because there are too many. */
  private static final int CROWD_STEP = 1_000;

  private static final long CROWD_REST_NS = 1_000_000_000L;

  private final WorkingSet state;
  private final long queueCountMax;
  private final long idleNs;
  private final long emptyQueueKeptMs;
  private VisitAgenda.Next next;
  private long leftUntilMs;
  private long walkBeganMs;
  private long rowCount;
  private int vainCount;
  private long crowdRestNs;

  public AgendaVisitor(WorkingSet state, EngineOptions options) {
    this.state = state;
    this.idleNs = options.queueIdle().toNanos();
    this.emptyQueueKeptMs = options.emptyQueueKept().toMillis();
    long fitting = Runtime.getRuntime().maxMemory() / HEAP_PARTS / QUEUE_BYTES;
    this.queueCountMax = Math.max(QUEUE_COUNT_LEAST, fitting);
    restart();
  }

  @Override
  public long waitNs(DueTime now) {
    long rowNs = now.waitNs(Math.min(next.timeMs(), walkAgainMs()));
    return Math.min(rowNs, Math.min(untilIdleNs(now), untilCrowdNs(now)));
  }

  /**
   * Returns the time until queues leave because there are too many, in nanoseconds. If they have to
   * stay, it rests for a while.
   */
  private long untilCrowdNs(DueTime now) {
    if (state.queues().size() <= queueCountMax) {
      return NEVER;
    }
    return vainCount < 2 ? 0 : Math.max(0, crowdRestNs - now.nowNs());
  }

  private long walkAgainMs() {
    return Math.max(leftUntilMs, walkBeganMs + rowCount / ROWS_PER_MS);
  }

  private long untilIdleNs(DueTime now) {
    QueueState first = state.idle().longest(now.nowNs(), idleNs);
    return first == null ? NEVER : Math.max(0, first.usedAtNs() + idleNs - now.nowNs());
  }

  @Override
  public void step(DueTime now, Steps steps) {
    boolean isCrowded = untilCrowdNs(now) == 0;
    if (isCrowded || untilIdleNs(now) == 0) {
      unload(now, steps, isCrowded);
    }
    if (walkAgainMs() <= now.nowMs()) {
      restart();
      walkBeganMs = now.nowMs();
    }
    if (next.timeMs() <= now.nowMs()) {
      next = steps.apply(new VisitAgenda(next.key(), emptyQueueKeptMs));
      leftUntilMs = Math.min(leftUntilMs, next.leftUntilMs());
      rowCount += next.rowCount();
    }
  }

  private void unload(DueTime now, Steps steps, boolean isCrowded) {
    int count = state.queues().size();
    int crowd = isCrowded ? (int) Math.min(count - queueCountMax, CROWD_STEP) : 0;
    long dueMs = steps.apply(new UnloadIdle(now.nowNs() - idleNs, emptyQueueKeptMs, crowd));
    leftUntilMs = Math.min(leftUntilMs, dueMs);
    goBackTo(now.nowMs() + 1);
    // One step in vain is no sign: it may have put the rows of those that leave with the next.
    vainCount = isCrowded && state.queues().size() == count ? Math.min(2, vainCount + 1) : 0;
    crowdRestNs = now.nowNs() + CROWD_REST_NS;
  }

  @Override
  public void restart() {
    next = VisitAgenda.Next.at(Keyspace.AGENDA.start(), 0);
    leftUntilMs = QueueState.NEVER;
    rowCount = 0;
  }

  /**
   * Goes back, for rows of queues that were unloaded may lie before the next one known: all of them
   * are in the future.
   */
  private void goBackTo(long timeMs) {
    if (timeMs < next.timeMs()) {
      next = VisitAgenda.Next.at(AgendaKeys.key(timeMs, 0), timeMs);
    }
  }
}
