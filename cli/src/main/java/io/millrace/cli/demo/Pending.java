package io.millrace.cli.demo;

import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats;

/** How many jobs of a queue are still to be done. */
final class Pending {

  private Pending() {}

  static long of(JobQueue queue) {
    return queue.stats().map(Pending::of).orElse(0L);
  }

  static long of(QueueStats stats) {
    return stats.count(JobState.READY)
        + stats.count(JobState.DELAYED)
        + stats.count(JobState.LEASED)
        + stats.count(JobState.BLOCKED)
        + stats.count(JobState.WAITING);
  }
}
