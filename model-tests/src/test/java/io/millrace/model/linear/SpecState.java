package io.millrace.model.linear;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All that the specification knows at a moment. A value: what changes it makes another.
 *
 * @param jobs by number; never changed
 * @param queues by number; never changed
 */
record SpecState(Map<Integer, SpecJob> jobs, List<SpecQueue> queues, long nowMs, long newestToken) {

  private static final Comparator<SpecJob> SERVING =
      Comparator.comparingInt((SpecJob job) -> -job.priority()).thenComparing(SpecJob::order);

  private static final Comparator<SpecJob> BY_PLACE = Comparator.comparing(SpecJob::order);

  /** Whether a queue has come to be. */
  enum Being {
    ABSENT,
    PRESENT
  }

  /** A queue; its totals have no zeros and are never changed. */
  record SpecQueue(Being being, Call.Serving serving, int depthMax, Map<Total, Long> totals) {

    static final SpecQueue UNBORN =
        new SpecQueue(Being.ABSENT, Call.Serving.RESUMED, Integer.MAX_VALUE, Map.of());

    static SpecQueue withDepth(int depthMax) {
      return new SpecQueue(Being.PRESENT, Call.Serving.RESUMED, depthMax, Map.of());
    }
  }

  static SpecState of(List<SpecQueue> queues, long nowMs) {
    return new SpecState(Map.of(), List.copyOf(queues), nowMs, 0);
  }

  Optional<SpecJob> job(int number) {
    return Optional.ofNullable(jobs.get(number));
  }

  Stream<SpecJob> jobsOf(int queue) {
    return jobs.values().stream().filter(job -> job.queue() == queue);
  }

  List<SpecJob> ready(List<Integer> of) {
    return jobs.values().stream()
        .filter(job -> job.state() == JobState.READY && of.contains(job.queue()))
        .sorted(SERVING)
        .toList();
  }

  /** The jobs that a claim would get, the next one first. */
  List<SpecJob> eligible(List<Integer> of) {
    return ready(
        of.stream().filter(queue -> queues.get(queue).serving() == Call.Serving.RESUMED).toList());
  }

  /** The place behind all that are ready. */
  long back() {
    return 1 + jobs.values().stream().mapToLong(SpecJob::order).max().orElse(0);
  }

  SpecState with(SpecJob job) {
    Map<Integer, SpecJob> changed = new TreeMap<>(jobs);
    changed.put(job.number(), job);
    return new SpecState(numbered(changed), queues, nowMs, newestToken);
  }

  SpecState without(SpecJob job) {
    Map<Integer, SpecJob> changed = new TreeMap<>(jobs);
    changed.remove(job.number());
    return new SpecState(numbered(changed), queues, nowMs, newestToken);
  }

  /** Numbers the places anew, so that the same line is the same state however it came to be. */
  private static Map<Integer, SpecJob> numbered(Map<Integer, SpecJob> jobs) {
    long place = 0;
    for (SpecJob job : jobs.values().stream().sorted(BY_PLACE).toList()) {
      if (job.order() > 0) {
        jobs.put(job.number(), job.withOrder(++place));
      }
    }
    return jobs;
  }

  SpecState counting(int queue, Total total) {
    SpecQueue before = queues.get(queue);
    Map<Total, Long> totals = new TreeMap<>(before.totals());
    totals.merge(total, 1L, Long::sum);
    return with(queue, new SpecQueue(Being.PRESENT, before.serving(), before.depthMax(), totals));
  }

  /** As it was before the lease of the highest token was granted, if there is a lease. */
  Optional<SpecState> withoutNewestLease() {
    return jobs.values().stream()
        .filter(job -> job.state() == JobState.LEASED)
        .max(Comparator.comparingLong(job -> job.lease().token()))
        .map(this::withoutLease);
  }

  private SpecState withoutLease(SpecJob job) {
    SpecQueue queue = queues.get(job.queue());
    Map<Total, Long> totals = new TreeMap<>(queue.totals());
    totals.computeIfPresent(Total.CLAIMED, (total, count) -> count == 1 ? null : count - 1);
    SpecQueue before = new SpecQueue(queue.being(), queue.serving(), queue.depthMax(), totals);
    return with(job.withAttempts(job.attempts() - 1).ready(job.order())).with(job.queue(), before);
  }

  SpecState with(int queue, SpecQueue changed) {
    List<SpecQueue> all = new ArrayList<>(queues);
    all.set(queue, changed);
    return new SpecState(jobs, all, nowMs, newestToken);
  }

  SpecState at(long ms) {
    return new SpecState(jobs, queues, ms, newestToken);
  }

  SpecState withToken(long token) {
    return new SpecState(jobs, queues, nowMs, token);
  }
}
