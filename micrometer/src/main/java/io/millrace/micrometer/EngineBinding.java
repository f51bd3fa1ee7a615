package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineMetrics;
import io.millrace.api.JobListening;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The meters of one engine in one registry. Any thread.
 *
 * <p>Whichever figure is asked for first, when a second has passed, reads all of them; who asks
 * meanwhile gets those of before, so that nobody waits. What cannot be read fails no scrape.
 */
final class EngineBinding implements AutoCloseable {

  private static final long FRESH_NS = 1_000_000_000L;
  private static final int PAGE_SIZE = 500;

  /** The figures of the engine as they were read; empty if they could not be. */
  private record Look(long atNs, Optional<EngineMetrics> metrics) {

    Optional<Status> status() {
      return metrics.map(it -> it.health().status());
    }

    boolean isClosed() {
      return status().equals(Optional.of(Status.CLOSED));
    }
  }

  private final JobEngine engine;
  private final Meters meters;
  private final QueueMeters queues;
  private final JobTimers timers;
  private final Optional<JobListening> listening;
  private final AtomicBoolean isReading = new AtomicBoolean(true);
  private volatile EngineMetrics last;
  private volatile Look look;

  EngineBinding(JobEngine engine, String name, MetricsOptions options, MeterRegistry registry) {
    this.engine = engine;
    this.meters = new Meters(registry, Tags.of("engine", name));
    this.queues = new QueueMeters(meters, options, this::refresh);
    this.timers = new JobTimers(meters, queues, options.queueCountMax());
    this.last = engine.metrics();
    this.look = new Look(nowNs(), Optional.of(last));
    this.listening = options.hasJobTimers() ? Optional.of(engine.listen(timers)) : Optional.empty();
    readQueues();
    queues.bind();
    EngineFigures figures = new EngineFigures(meters, this::now, this::last);
    figures.bind();
    figures.bindStatus(() -> fresh().status());
    listening.ifPresent(this::bindMissed);
    isReading.set(false);
  }

  private void bindMissed(JobListening of) {
    meters.counter(
        "millrace.job.events.missed",
        Tags.empty(),
        "Events of jobs that the timers of jobs lack",
        of::missedCount);
  }

  private long nowNs() {
    return meters.registry().config().clock().monotonicTime();
  }

  private Optional<EngineMetrics> now() {
    Look fresh = fresh();
    return fresh.isClosed() ? Optional.empty() : fresh.metrics();
  }

  private EngineMetrics last() {
    refresh();
    return last;
  }

  private Look fresh() {
    refresh();
    return look;
  }

  /** Reads all figures unless they are fresh or are being read. */
  private void refresh() {
    Look before = look;
    long nowNs = nowNs();
    if (nowNs - before.atNs() < FRESH_NS || !isReading.compareAndSet(false, true)) {
      return;
    }
    try {
      if (before.isClosed()) { // which has been told
        close();
      } else {
        look = new Look(nowNs, read());
      }
    } finally {
      isReading.set(false);
    }
  }

  private Optional<EngineMetrics> read() {
    readQueues();
    try {
      last = engine.metrics();
      return Optional.of(last);
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private void readQueues() {
    try {
      List<QueueStats> all = allQueues();
      Set<Tags> present = queues.update(all);
      if (all.size() < MetricsOptions.QUEUE_COUNT_MAX) { // else there may be more
        timers.keep(present);
      }
    } catch (RuntimeException e) { // while it is reopened, or closed: the status says so
      queues.forget();
    }
  }

  private List<QueueStats> allQueues() {
    List<QueueStats> all = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(PAGE_SIZE));
    while (next.isPresent() && all.size() < MetricsOptions.QUEUE_COUNT_MAX) {
      Page<QueueStats> page = engine.stats(next.get());
      all.addAll(page.items());
      next = page.next().map(cursor -> PageRequest.after(cursor, PAGE_SIZE));
    }
    return all;
  }

  /** Removes all meters. Idempotent. */
  @Override
  public void close() {
    listening.ifPresent(JobListening::close);
    meters.close();
  }
}
