package io.millrace.engine;

import io.millrace.api.DrainResult;
import io.millrace.api.EngineClock;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.transition.queue.Configure;
import io.millrace.internal.transition.queue.Purge;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** The emptying of a queue: by its workers, or by force. Any thread. */
final class QueueRemoval {

  /** The time between two looks of a drain at whether the queue is empty, in nanoseconds. */
  private static final long DRAIN_LOOK_NS = 10_000_000;

  private static final QueueStats.Serving DRAINING = QueueStats.Serving.DRAINING;

  /** The states of jobs that are worked on, or are yet to be. */
  private static final List<JobState> WORK = StateTraits.states(state -> !state.isEnd());

  private final EngineCore core;
  private final QueueName queue;

  QueueRemoval(EngineCore core, QueueName queue) {
    this.core = core;
    this.queue = queue;
  }

  /** Removes the jobs of these states, in steps of one request each. Returns how many. */
  long purge(Set<JobState> states) {
    Objects.requireNonNull(states, "states");
    if (states.contains(JobState.LEASED)) {
      throw new IllegalArgumentException(
          "leased jobs cannot be purged: states="
              + states
              + "; leave out LEASED, or delete the queue");
    }
    return Acts.onJobs(
        "purged",
        queue,
        Acts.sorted(states),
        removed -> inOrder(states).forEach(state -> purge(state, removed)));
  }

  private void purge(JobState state, LongConsumer removed) {
    Purge.Progress progress = core.submitter().call(new Purge(queue, state, null));
    removed.accept(progress.removedCount());
    while (progress.next().isPresent()) {
      progress = core.submitter().call(new Purge(queue, state, progress.next().get()));
      removed.accept(progress.removedCount());
    }
  }

  /**
   * Returns the states with BLOCKED first, or blocked jobs would be handed the slots of ready ones
   * that are removed.
   */
  private static List<JobState> inOrder(Set<JobState> states) {
    List<JobState> ordered = new ArrayList<>(states);
    ordered.sort(Comparator.comparing(state -> state != JobState.BLOCKED));
    return ordered;
  }

  DrainResult drain(Duration waiting) {
    Checks.upTo("waiting", waiting, Limits.DELAY_MAX);
    boolean wasDraining = stats().map(QueueStats::serving).filter(DRAINING::equals).isPresent();
    DrainResult result = drained(waiting);
    String outcome = "outcome=" + result + ", waited at most=" + waiting;
    if (wasDraining && !result.isDone()) {
      Acts.again("drain", queue, outcome);
    } else {
      Acts.onQueue("drain", queue, outcome);
    }
    return result;
  }

  private DrainResult drained(Duration waiting) {
    core.submitter().call(Configure.draining(queue));
    EngineClock clock = core.submitter().clock();
    long beganNs = clock.monotonicNs();
    long waitNs = waiting.toNanos();
    while (!isEmpty()) {
      long leftNs = waitNs - (clock.monotonicNs() - beganNs);
      if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
        return DrainResult.DRAINING;
      }
      clock.parkNs(Math.min(leftNs, DRAIN_LOOK_NS));
    }
    return DrainResult.EMPTY;
  }

  private boolean isEmpty() {
    Optional<QueueStats> stats = stats();
    return stats.isEmpty() || WORK.stream().allMatch(state -> stats.get().count(state) == 0);
  }

  private Optional<QueueStats> stats() {
    return core.read(reader -> reader.stats(queue));
  }
}
