package io.millrace.engine;

import io.millrace.api.DrainResult;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.internal.transition.Configure;
import io.millrace.internal.transition.Purge;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** How a queue is emptied: by its workers, or by force. Any thread. */
final class QueueRemoval {

  /** How often a drain looks whether the queue is empty. */
  private static final long DRAIN_LOOK_NS = 10_000_000;

  private static final Set<JobState> WORK =
      EnumSet.of(
          JobState.READY, JobState.DELAYED, JobState.LEASED, JobState.BLOCKED, JobState.WAITING);

  private final JobEngine engine;
  private final Calls calls;
  private final QueueName queue;

  QueueRemoval(JobEngine engine, Calls calls, QueueName queue) {
    this.engine = engine;
    this.calls = calls;
    this.queue = queue;
  }

  /** Removes the jobs of these states, a step a request. */
  long purge(Set<JobState> states) {
    Objects.requireNonNull(states, "states");
    if (states.contains(JobState.LEASED)) {
      throw new IllegalArgumentException(
          "leased jobs cannot be purged: states="
              + states
              + "; leave out LEASED, or delete the queue");
    }
    long count = 0;
    for (JobState state : states) {
      Purge.Progress progress = calls.call(new Purge(queue, state, null));
      count += progress.removedCount();
      while (progress.next().isPresent()) {
        progress = calls.call(new Purge(queue, state, progress.next().get()));
        count += progress.removedCount();
      }
    }
    return count;
  }

  DrainResult drain(Duration waiting) {
    Limits.delay("waiting", waiting);
    calls.call(Configure.draining(queue));
    long beganNs = calls.clock().monotonicNs();
    long waitNs = waiting.toNanos();
    while (!isEmpty()) {
      long leftNs = waitNs - (calls.clock().monotonicNs() - beganNs);
      if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
        return DrainResult.DRAINING;
      }
      calls.clock().parkNs(Math.min(leftNs, DRAIN_LOOK_NS));
    }
    return DrainResult.EMPTY;
  }

  private boolean isEmpty() {
    Optional<QueueStats> stats = engine.stats(queue);
    return stats.isEmpty() || WORK.stream().allMatch(state -> stats.get().count(state) == 0);
  }
}
