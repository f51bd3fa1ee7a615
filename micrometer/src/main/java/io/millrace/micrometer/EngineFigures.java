package io.millrace.micrometer;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineMetrics.Spread;
import io.millrace.api.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The figures of an engine as a whole, a line for each. Gauges are NaN while nobody knows; counters
 * stay where they were, since registries that tell differences never get over a NaN.
 */
final class EngineFigures {

  private static final double NS_PER_SECOND = 1e9;

  private enum Kind {
    GAUGE,
    BYTES,
    SECONDS,
    COUNTER
  }

  /** A figure: its name behind {@code millrace.}, and where it comes from. */
  record Figure(
      String name, Kind kind, String description, ToDoubleFunction<EngineMetrics> value) {}

  /** A distribution: its name, and where it comes from. */
  private record Times(String name, String description, Function<EngineMetrics, Spread> spread) {}

  static final List<Figure> ALL =
      List.of(
          seconds("uptime", "Since the engine was opened", EngineMetrics::openFor),
          gauge("ring.depth", "Requests that wait to be taken up", EngineMetrics::ringDepth),
          gauge("ring.size", "The most requests that may wait", EngineMetrics::ringSize),
          gauge("leases", "Jobs that somebody works on", EngineMetrics::leaseCount),
          gauge("queue.leases", "Queues leased as a whole", EngineMetrics::queueLeaseCount),
          gauge("claims.parked", "Claims that wait for jobs", EngineMetrics::parkedClaimCount),
          gauge("rate.buckets", "Token buckets not full", EngineMetrics::rateBucketCount),
          gauge("rate.queues", "Queues without a token", EngineMetrics::rateLimitedQueueCount),
          gauge("tenant.names", "Names claimed across tenants", EngineMetrics::tenantNameCount),
          gauge("tenant.turns", "Tenants that have a turn", EngineMetrics::tenantTurnCount),
          gauge("broadcasts", "Broadcasts under way", EngineMetrics::broadcastCount),
          gauge("awaits", "Waits for the ends of jobs", EngineMetrics::awaitCount),
          gauge("listeners", "Job listeners", EngineMetrics::listenerCount),
          gauge("listener.events", "Events to be told", EngineMetrics::waitingEventCount),
          counter("listener.missed", "Events never told", EngineMetrics::missedEventCount),
          counter("duplicates", "Jobs whose key was held", EngineMetrics::duplicateCount),
          seconds("reader.oldest", "The oldest open view", it -> orZero(it.oldestReaderAge())),
          bytes("store.bytes", "Space of the store", EngineMetrics::storeBytes),
          bytes("window.bytes", "Memory of ready jobs at hand", EngineMetrics::windowBytes),
          counter("rows.quarantined", "Corrupt rows set aside", EngineMetrics::setAsideCount),
          counter("table.rows.put", "Rows of users put", EngineMetrics::tableRowsPut),
          counter("table.rows.deleted", "Rows of users deleted", EngineMetrics::tableRowsDeleted),
          counter("transactions", "Committed transactions", EngineMetrics::transactionCount),
          counter("transaction.calls", "Calls for them", EngineMetrics::transactionCallCount),
          counter(
              "transaction.conflicts", "Calls in vain", EngineMetrics::transactionConflictCount),
          gauge("warnings", "Warnings of its health", it -> it.health().warnings().size()),
          seconds("clock.ahead", "Ahead of wall clock", it -> it.health().clockDivergence()));

  private static final List<Times> TIMES =
      List.of(
          new Times("commit", "Writes of batches to the store", EngineMetrics::commitNs),
          new Times("sync", "Syncs of the store", EngineMetrics::syncNs));

  private final Meters meters;
  private final Supplier<Optional<EngineMetrics>> now;
  private final Supplier<EngineMetrics> last;

  /**
   * Creates no meter yet.
   *
   * @param now the figures as of now; empty if they are not known
   * @param last the last figures that were known
   */
  EngineFigures(
      Meters meters, Supplier<Optional<EngineMetrics>> now, Supplier<EngineMetrics> last) {
    this.meters = meters;
    this.now = now;
    this.last = last;
  }

  void bind() {
    ALL.forEach(this::bind);
    for (QueueStats.Total total : QueueStats.Total.values()) {
      meters.counter(
          "millrace.operations",
          Tags.of("event", QueueMeters.word(total)),
          "What happened to jobs since the engine was opened",
          counted(it -> it.operations(total)));
    }
    for (Times times : TIMES) {
      String name = "millrace." + times.name();
      Function<EngineMetrics, Spread> spread = times.spread();
      meters.timer(
          name,
          times.description(),
          () -> spread.apply(last.get()).sinceOpening().count(),
          () -> spread.apply(last.get()).sinceOpening().sum());
      meters.timeGauge(
          name + ".max",
          Tags.empty(),
          "The longest within about a minute",
          known(it -> spread.apply(it).recent().max() / NS_PER_SECOND));
      bindBuckets(name, spread, 14, 34, bits -> "" + largest(bits) / NS_PER_SECOND);
    }
    meters.counter(
        "millrace.groups",
        Tags.empty(),
        "Batches that carried out requests",
        counted(it -> it.groupRequests().sinceOpening().count()));
    meters.counter(
        "millrace.group.requests",
        Tags.empty(),
        "Requests that were carried out in batches",
        counted(it -> it.groupRequests().sinceOpening().sum()));
    bindBuckets(
        "millrace.group.requests", EngineMetrics::groupRequests, 1, 14, bits -> "" + largest(bits));
  }

  /** Adds meters that say of each status whether it holds. */
  void bindStatus(Supplier<Optional<EngineHealth.Status>> status) {
    for (EngineHealth.Status each : EngineHealth.Status.values()) {
      meters.gauge(
          "millrace.status",
          Tags.of("status", QueueMeters.word(each)),
          null,
          "1 for what holds of the engine",
          () -> status.get().map(it -> it == each ? 1.0 : 0.0).orElse(Double.NaN));
    }
  }

  private void bind(Figure figure) {
    String name = "millrace." + figure.name();
    DoubleSupplier value = known(figure.value());
    switch (figure.kind()) {
      case GAUGE -> meters.gauge(name, Tags.empty(), null, figure.description(), value);
      case BYTES -> meters.gauge(name, Tags.empty(), BaseUnits.BYTES, figure.description(), value);
      case SECONDS -> meters.timeGauge(name, Tags.empty(), figure.description(), value);
      case COUNTER ->
          meters.counter(name, Tags.empty(), figure.description(), counted(figure.value()));
      default -> throw new IllegalStateException("unknown kind: " + figure.kind());
    }
  }

  /**
   * Adds counters of the values that are at most so large, as a histogram of Prometheus has them:
   * sums over engines and differences over time are such a histogram again.
   */
  private void bindBuckets(
      String name,
      Function<EngineMetrics, Spread> spread,
      int bitsLeast,
      int bitsMost,
      IntFunction<String> le) {
    for (int bits = bitsLeast; bits <= bitsMost; bits++) {
      int length = bits;
      bindBucket(name, le.apply(bits), it -> countUpTo(length, spread.apply(it)));
    }
    bindBucket(name, "+Inf", it -> spread.apply(it).sinceOpening().count());
  }

  private void bindBucket(String name, String le, ToDoubleFunction<EngineMetrics> count) {
    meters.counter(
        name + ".histogram", Tags.of("le", le), "How many were at most this", counted(count));
  }

  private static long countUpTo(int bits, Spread spread) {
    return spread.bitLengths().stream().limit(bits + 1L).mapToLong(Long::longValue).sum();
  }

  /** Returns the largest number of so many bits. */
  private static long largest(int bits) {
    return (1L << bits) - 1;
  }

  private DoubleSupplier known(ToDoubleFunction<EngineMetrics> value) {
    return () -> now.get().map(it -> value.applyAsDouble(it)).orElse(Double.NaN);
  }

  private DoubleSupplier counted(ToDoubleFunction<EngineMetrics> value) {
    return () -> value.applyAsDouble(last.get());
  }

  private static Duration orZero(Optional<Duration> time) {
    return time.orElse(Duration.ZERO);
  }

  private static Figure gauge(
      String name, String description, ToDoubleFunction<EngineMetrics> value) {
    return new Figure(name, Kind.GAUGE, description, value);
  }

  private static Figure bytes(
      String name, String description, ToDoubleFunction<EngineMetrics> value) {
    return new Figure(name, Kind.BYTES, description, value);
  }

  private static Figure counter(
      String name, String description, ToDoubleFunction<EngineMetrics> value) {
    return new Figure(name, Kind.COUNTER, description, value);
  }

  private static Figure seconds(
      String name, String description, Function<EngineMetrics, Duration> value) {
    return new Figure(
        name, Kind.SECONDS, description, it -> value.apply(it).toNanos() / NS_PER_SECOND);
  }
}
