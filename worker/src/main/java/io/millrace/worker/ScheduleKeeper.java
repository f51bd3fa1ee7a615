package io.millrace.worker;

import io.millrace.api.JobQueues;
import io.millrace.api.Page;
import io.millrace.api.TableRange;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Watches the clock for a worker. When the clock was set back, schedules may wait for an instant
 * that they took up while it was ahead; they are then put right. This is also done when the worker
 * begins, since nobody may have looked before.
 */
final class ScheduleKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleKeeper.class);

  private final JobQueues queues;
  private final ScheduleTicks ticks;

  /**
   * The time at the last look. Before the first, it is such that the clock seems to have been set
   * back.
   */
  private volatile long latestMs = Long.MAX_VALUE;

  private volatile boolean hasFailed;

  ScheduleKeeper(JobQueues queues, ScheduleTicks ticks) {
    this.queues = queues;
    this.ticks = ticks;
  }

  /**
   * Tells whether schedules are to be put right, because the clock was set back since the last
   * look.
   */
  boolean look() {
    long nowMs = queues.now().toEpochMilli();
    boolean isSetBack = nowMs < latestMs;
    latestMs = nowMs;
    return isSetBack;
  }

  /** Puts schedules right that need it; if that fails, the next look tries again. */
  void tryToPutRight() {
    try {
      putRight();
      hasFailed = false;
    } catch (RuntimeException e) {
      LOG.atLevel(hasFailed ? Level.DEBUG : Level.WARN)
          .setCause(e)
          .log("schedules could not be looked at after a start or a clock that was set back");
      hasFailed = true;
      latestMs = Long.MAX_VALUE;
    }
  }

  /** Puts right the schedules that wait too long, each in a transaction of its own. */
  void putRight() {
    Page.stream(page -> ticks.table().scan(TableRange.all(), page))
        .filter(row -> isTooLate(row.value()))
        .forEach(row -> putRight(row.key()));
  }

  private boolean isTooLate(ScheduleRow row) {
    return row.isTooLate(queues.now().toEpochMilli());
  }

  private void putRight(String name) {
    queues
        .transact(
            tx -> {
              Optional<ScheduleRow> row = tx.get(ticks.table(), name).filter(this::isTooLate);
              row.ifPresent(it -> tx.put(ticks.table(), name, ticks.withTick(tx, name, it)));
              return row.flatMap(ScheduleRow::next);
            })
        .orThrow()
        .ifPresent(
            was ->
                LOG.warn(
                    "schedule waited for an instant that it took up while the clock was ahead, and"
                        + " goes on now: name={}, waited for={}",
                    name,
                    Instant.ofEpochMilli(was)));
  }
}
