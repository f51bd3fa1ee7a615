package io.millrace.micrometer;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobListener;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The times of single jobs: how long they were ready before they were claimed, and how long their
 * attempts lasted, by what came of these. Called on the thread of a listener; who forgets queues
 * may be any.
 */
final class JobTimers implements JobListener {

  /** The jobs of one type in queues with the same tags, which have timers of their own. */
  private record Work(Tags queue, String type) {}

  private final Meters meters;
  private final QueueMeters queues;
  private final int workCountMax;
  private final Work other;
  private final Map<Work, Map<Kind, Timer>> timers = new ConcurrentHashMap<>();

  /** The work whose queues were not there when somebody looked last; for him who looks. */
  private Set<Work> missingBefore = new HashSet<>();

  JobTimers(Meters meters, QueueMeters queues, int workCountMax) {
    this.meters = meters;
    this.queues = queues;
    this.workCountMax = workCountMax;
    this.other = new Work(queues.other(), MillraceMetrics.OTHER);
  }

  @Override
  public void happened(JobEvent event) {
    Kind kind = event.kind();
    Optional<Duration> time = kind == Kind.CLAIMED ? event.waited() : event.ran();
    if (time.isPresent()) {
      Work work = work(event);
      timers
          .computeIfAbsent(work, it -> new ConcurrentHashMap<>())
          .computeIfAbsent(kind, it -> timer(work, it))
          .record(time.get());
    }
  }

  private Work work(JobEvent event) {
    Work work = new Work(queues.tags(event.queue()), event.type());
    return timers.containsKey(work) || timers.size() < workCountMax ? work : other;
  }

  private Timer timer(Work work, Kind kind) {
    Tags tags = work.queue().and("type", work.type());
    return kind == Kind.CLAIMED
        ? meters.timer("millrace.job.wait", tags, "How long a job was ready before it was claimed")
        : meters.timer(
            "millrace.job.run",
            tags.and("outcome", QueueMeters.word(kind)),
            "How long an attempt lasted, by what came of it");
  }

  /**
   * Removes the timers of queues that were missing twice in a row. Once may be too early, for
   * events tell of a queue before it is listed, and after.
   */
  void keep(Set<Tags> present) {
    Set<Work> missing = new HashSet<>();
    for (Work work : timers.keySet()) {
      if (!present.contains(work.queue()) && !work.equals(other)) {
        missing.add(work);
      }
    }
    missingBefore.retainAll(missing);
    missingBefore.forEach(this::remove);
    missingBefore = missing;
  }

  private void remove(Work work) {
    Map<Kind, Timer> removed = timers.remove(work);
    if (removed != null) {
      meters.remove(removed.values());
    }
  }
}
