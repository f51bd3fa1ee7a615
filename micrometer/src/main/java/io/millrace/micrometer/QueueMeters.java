package io.millrace.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Serving;
import io.millrace.api.QueueStats.Total;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of queues, which come and go. Queues with the same tags are one, and so are all for
 * which there is no room; who has a place keeps it. One thread at a time updates, any may read.
 */
final class QueueMeters {

  private static final double MS_PER_SECOND = 1e3;

  private final Meters meters;
  private final MetricsOptions options;
  private final Runnable refresh;
  private final Tags other;
  private final Map<Tags, Group> groups = new HashMap<>();
  private volatile boolean isKnown;
  private volatile int queueCount;

  /**
   * Creates no meter yet.
   *
   * @param refresh called before each figure is told; it updates these meters if they are old
   */
  QueueMeters(Meters meters, MetricsOptions options, Runnable refresh) {
    this.meters = meters;
    this.options = options;
    this.refresh = refresh;
    this.other = tags(MillraceMetrics.OTHER, MillraceMetrics.OTHER);
  }

  /** Returns a constant as tags have it. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the tags of all queues for which there is no room. */
  Tags other() {
    return other;
  }

  /** Returns the tags that the queue has if there is room for it. */
  Tags tags(QueueName queue) {
    return tags(queue.name(), queue.tenant().isEmpty() ? "none" : queue.tenant());
  }

  private Tags tags(String name, String tenant) {
    Tags tags = Tags.of("queue", name);
    return options.isByTenant() ? tags.and("tenant", tenant) : tags;
  }

  /** Tells that nothing is known of the queues now. */
  void forget() {
    isKnown = false;
  }

  /** Tells the queues as they are. Returns the tags that they have if there is room for them. */
  Set<Tags> update(List<QueueStats> queues) {
    Map<Tags, Sums> sums = new LinkedHashMap<>();
    queues.forEach(it -> sums.computeIfAbsent(tags(it.queue()), tags -> new Sums()).add(it));
    Set<Tags> present = Set.copyOf(sums.keySet());
    Sums named = sums.remove(other); // a queue that has this very name is one of the rest
    Sums rest = named == null ? new Sums() : named;
    Set<Tags> gone = new HashSet<>(groups.keySet());
    gone.removeAll(sums.keySet());
    gone.remove(other);
    gone.forEach(this::remove);
    sums.forEach(
        (tags, of) -> {
          if (groups.containsKey(tags) || hasRoom()) {
            tell(tags, of);
          } else {
            rest.add(of);
          }
        });
    if (rest.queueCount > 0) {
      tell(other, rest);
    } else {
      remove(other);
    }
    queueCount = queues.size();
    isKnown = true;
    return present;
  }

  private boolean hasRoom() {
    return groups.size() - (groups.containsKey(other) ? 1 : 0) < options.queueCountMax();
  }

  private void tell(Tags tags, Sums sums) {
    Group group = groups.get(tags);
    if (group == null) {
      group = new Group(sums);
      groups.put(tags, group);
      bind(tags, group);
    } else {
      group.tell(sums);
    }
  }

  private void remove(Tags tags) {
    Group group = groups.remove(tags);
    if (group != null) {
      meters.remove(group.meters);
    }
  }

  /** Adds the meter of how many queues there are. */
  void bind() {
    meters.gauge(
        "millrace.queues", Tags.empty(), null, "Queues looked at", known(() -> queueCount));
  }

  private void bind(Tags tags, Group group) {
    for (JobState state : JobState.values()) {
      group.meters.add(
          meters.gauge(
              "millrace.jobs",
              tags.and("state", word(state)),
              null,
              "Jobs in each state",
              group.known(sums -> sums.counts[state.ordinal()])));
    }
    for (Total total : Total.values()) {
      group.meters.add(
          meters.counter(
              "millrace.job.events",
              tags.and("event", word(total)),
              "What happened to jobs",
              refreshed(() -> group.events.get(total.ordinal()))));
    }
    group.meters.add(
        meters.timeGauge(
            "millrace.queue.oldest",
            tags,
            "How long the oldest ready job has been ready",
            group.known(sums -> sums.oldestMs / MS_PER_SECOND)));
    group.meters.add(
        meters.gauge(
            "millrace.queue.paused",
            tags,
            null,
            "1 if it is paused, or one of these queues",
            group.known(sums -> sums.isPaused ? 1 : 0)));
  }

  private DoubleSupplier known(DoubleSupplier value) {
    return refreshed(() -> isKnown ? value.getAsDouble() : Double.NaN);
  }

  private DoubleSupplier refreshed(DoubleSupplier value) {
    return () -> {
      refresh.run();
      return value.getAsDouble();
    };
  }

  /** The figures of one queue, or of several together. */
  private static final class Sums {

    private final long[] counts = new long[JobState.values().length];
    private final long[] totals = new long[Total.values().length];
    private long oldestMs;
    private boolean isPaused;
    private int queueCount;

    void add(QueueStats queue) {
      queue.counts().forEach((state, count) -> counts[state.ordinal()] += count);
      queue.totals().forEach((total, count) -> totals[total.ordinal()] += count);
      oldestMs = Math.max(oldestMs, queue.oldestReadyAge().map(Duration::toMillis).orElse(0L));
      isPaused |= queue.serving() == Serving.PAUSED;
      queueCount++;
    }

    void add(Sums more) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += more.counts[i];
      }
      for (int i = 0; i < totals.length; i++) {
        totals[i] += more.totals[i];
      }
      oldestMs = Math.max(oldestMs, more.oldestMs);
      isPaused |= more.isPaused;
      queueCount += more.queueCount;
    }
  }

  /** The queues with the same tags, which have meters of their own. */
  private final class Group {

    private final List<Meter> meters = new ArrayList<>();

    /** The totals, as a counter must have them: sums fall when one of several queues is deleted. */
    private final AtomicLongArray events;

    private volatile Sums sums;

    Group(Sums first) {
      events = new AtomicLongArray(first.totals);
      sums = first;
    }

    void tell(Sums next) {
      for (int i = 0; i < events.length(); i++) {
        events.addAndGet(i, Math.max(0, next.totals[i] - sums.totals[i]));
      }
      sums = next;
    }

    DoubleSupplier known(ToDoubleFunction<Sums> figure) {
      return QueueMeters.this.known(() -> figure.applyAsDouble(sums));
    }
  }
}
