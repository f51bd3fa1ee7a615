package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.QueueState;
import java.util.ArrayList;
import java.util.List;

/** Delayed jobs whose time has come join their lines, in the order of their times. */
final class DueJobs {

  /** Jobs of one queue that are moved in one step. */
  static final int STEP = 1_000;

  /** The most store operations of a step. */
  static final int STEP_OPERATIONS = 3 * STEP;

  private DueJobs() {}

  private record Due(byte[] key, byte[] value) {}

  /** Moves a step of what is due; the queue's next delayed time says whether more is. */
  static void move(Change change, QueueState queue) {
    long nowMs = change.sources().nowMs();
    List<Due> due = new ArrayList<>();
    long[] nextMs = {QueueState.NEVER};
    change.scan(
        DelayedKeys.key(queue.number(), queue.nextDelayedAtMs(), 0),
        DelayedKeys.queueEnd(queue.number()),
        (key, value) -> {
          boolean isDue = DelayedKeys.visibleAtMs(key) <= nowMs && due.size() < STEP;
          if (isDue) {
            due.add(new Due(key, value));
          } else {
            nextMs[0] = DelayedKeys.visibleAtMs(key);
          }
          return isDue;
        });
    change.state().setNextDelayedAt(queue, nextMs[0]);
    change.state().markChanged(queue);
    for (Due row : due) {
      JobRecord job = Records.decodeOrReport(change, row.key(), row.value());
      if (job != null) {
        leaveDelayed(change, queue, row.key(), job, nowMs);
      }
    }
  }

  private static void leaveDelayed(
      Change change, QueueState queue, byte[] key, JobRecord job, long nowMs) {
    change.delete(key);
    queue.add(JobState.DELAYED, -1);
    long leaptMs = job.delayBaseMs() == 0 ? 0 : change.sources().leaps().sinceMs(job.delayBaseMs());
    long visibleAtMs = DelayedKeys.visibleAtMs(key) + leaptMs;
    if (visibleAtMs > nowMs) {
      Moves.enterDelayed(change, queue, job, visibleAtMs, nowMs);
    } else {
      Moves.enterReady(change, queue, job);
    }
  }
}
