package io.millrace.console.live;

import io.millrace.api.EngineMetrics;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.console.source.Source;
import io.millrace.console.thread.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of the last hour, one point for each {@link #STEP}. A thread of its own takes them as
 * long as the history is open, unless somebody does by hand; any thread may read.
 *
 * <p>Depths are of the first {@value #QUEUE_COUNT_MAX} queues, so that a store of a hundred
 * thousand costs no more.
 */
public final class History implements AutoCloseable {

  /** The time between two points of a last hour. */
  public static final Duration STEP = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(History.class);
  private static final int POINT_COUNT_MAX = 720;
  private static final int QUEUE_COUNT_MAX = 1_000;
  private static final double NS_PER_SECOND = 1e9;

  private final Source source;
  private final InstantSource clock;
  private final LongSupplier clockNs;
  private final JobTimes times = new JobTimes();
  private final Optional<JobListening> listening;
  private final ScheduledExecutorService thread;
  private final Deque<Point> points = new ArrayDeque<>();
  private long count;
  private Optional<String> trouble = Optional.empty();
  private boolean isClosed;
  private @Nullable Sample last;

  /** The counts of all that happened until a moment. */
  private record Sample(long atNs, Map<Total, Long> totals) {
    double perSecond(Sample earlier, Total... kinds) {
      long difference = 0;
      for (Total kind : kinds) {
        difference += Math.max(0, of(kind) - earlier.of(kind));
      }
      return difference * NS_PER_SECOND / Math.max(1, atNs - earlier.atNs);
    }

    private long of(Total kind) {
      return totals.getOrDefault(kind, 0L);
    }
  }

  /**
   * Begins a history.
   *
   * @param queues whoever tells of jobs; empty if nobody does
   * @param step the time between two points
   */
  public History(Source source, Optional<JobQueues> queues, Duration step) {
    this(source, queues, InstantSource.system(), System::nanoTime);
    thread.scheduleWithFixedDelay(this::sample, 0, step.toMillis(), TimeUnit.MILLISECONDS);
  }

  private History(
      Source source, Optional<JobQueues> queues, InstantSource clock, LongSupplier clockNs) {
    this.source = source;
    this.clock = clock;
    this.clockNs = clockNs;
    this.listening = queues.map(it -> it.listen(times));
    this.thread = Threads.scheduled("millrace-console-history");
  }

  /** Begins a history that grows by {@link #sample} alone, at the pace of another clock. */
  public static History byHand(Source source, JobQueues queues, InstantSource clock) {
    return new History(
        source, Optional.of(queues), clock, () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
  }

  /** Adds the point of now. */
  public void sample() {
    try {
      Collection<QueueStats> queues = source.queues(PageRequest.first(QUEUE_COUNT_MAX)).items();
      Sample now = new Sample(clockNs.getAsLong(), totals(queues));
      Sample before = last == null ? now : last;
      last = now;
      add(
          new Point(
              clock.instant(),
              now.perSecond(before, Total.ENQUEUED),
              now.perSecond(before, Total.COMPLETED),
              now.perSecond(before, Total.RETRIED, Total.EXPIRED),
              now.perSecond(before, Total.DIED),
              depths(queues),
              listening.map(it -> times.take())));
    } catch (RuntimeException | Error e) { // thrown, it would be the last look
      // A closed or poisoned engine has no figures; the pages say so.
      LOG.debug("no figures for the console", e);
      trouble(String.valueOf(e.getMessage()));
    }
  }

  private Map<Total, Long> totals(Collection<QueueStats> queues) {
    Optional<EngineMetrics> metrics = source.metrics();
    if (metrics.isPresent()) {
      return metrics.get().operations();
    }
    Map<Total, Long> sums = new EnumMap<>(Total.class);
    queues.forEach(queue -> queue.totals().forEach((kind, n) -> sums.merge(kind, n, Long::sum)));
    return sums;
  }

  /** Returns the sums of these queues. */
  public static Point.Depths depths(Collection<QueueStats> queues) {
    long oldestMs =
        queues.stream()
            .flatMap(queue -> queue.oldestReadyAge().stream())
            .mapToLong(Duration::toMillis)
            .max()
            .orElse(0);
    return new Point.Depths(
        sum(queues, JobState.READY),
        sum(queues, JobState.DELAYED),
        sum(queues, JobState.LEASED),
        sum(queues, JobState.BLOCKED) + sum(queues, JobState.WAITING),
        sum(queues, JobState.DEAD),
        oldestMs);
  }

  private static long sum(Collection<QueueStats> queues, JobState state) {
    return queues.stream().mapToLong(queue -> queue.count(state)).sum();
  }

  private synchronized void add(Point point) {
    points.addLast(point);
    count++;
    trouble = Optional.empty();
    if (points.size() > POINT_COUNT_MAX) {
      points.removeFirst();
    }
    notifyAll();
  }

  private synchronized void trouble(String sentence) {
    trouble = Optional.of(sentence);
    notifyAll();
  }

  /** Returns the reason why the last point is missing; empty if it is not. */
  public synchronized Optional<String> trouble() {
    return trouble;
  }

  /** Tells whether points have times, which only who is told of jobs knows. */
  public boolean hasTimes() {
    return listening.isPresent();
  }

  /** Returns the points, the oldest first. */
  public synchronized List<Point> points() {
    return List.copyOf(points);
  }

  /** Returns the number of points that there have been. */
  public synchronized long count() {
    return count;
  }

  /**
   * Waits for a point after so many; empty if none came in that time, or the history is closed, or
   * at once if {@link #trouble} has changed meanwhile.
   *
   * @throws InterruptedException the thread was interrupted
   */
  public synchronized Optional<Point> await(long after, Duration most) throws InterruptedException {
    long endNs = System.nanoTime() + most.toNanos();
    Optional<String> before = trouble;
    while (count <= after && !isClosed && trouble.equals(before)) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (leftMs <= 0) {
        return Optional.empty();
      }
      wait(leftMs);
    }
    return isClosed || count <= after ? Optional.empty() : Optional.ofNullable(points.peekLast());
  }

  public synchronized boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    listening.ifPresent(JobListening::close);
    thread.shutdownNow();
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
  }
}
