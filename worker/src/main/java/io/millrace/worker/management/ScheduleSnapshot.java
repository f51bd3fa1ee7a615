package io.millrace.worker.management;

import org.jspecify.annotations.Nullable;

/** A schedule as it is stored; what is null is not said, or is not. */
public interface ScheduleSnapshot {

  String getName();

  /** When it makes jobs, for people. */
  String getTimes();

  /** What becomes of instants that nobody was there for: RUN_ONCE, SKIP, or ALL and how many. */
  String getMissed();

  /** What becomes of an instant while the last job has not ended: ALLOW or SKIP. */
  String getOverlap();

  long getJitterMs();

  /** The name of the queue of its jobs. */
  String getQueue();

  /** The tenant of that queue; empty for the default one. */
  String getTenant();

  @Nullable String getType();

  /** Who declared it. */
  @Nullable String getOwner();

  /** The next instant, epoch milliseconds; null if it is paused. */
  @Nullable Long getNextMs();

  /** The newest instant that had its turn, epoch milliseconds. */
  @Nullable Long getLastMs();

  /** The job that was made last for an instant; it may be gone. */
  @Nullable String getLastJob();

  /** Why nobody there can carry it out. */
  @Nullable String getUnreadable();
}
