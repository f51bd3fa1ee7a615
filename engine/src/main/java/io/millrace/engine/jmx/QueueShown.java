package io.millrace.engine.jmx;

import io.millrace.api.QueueStats;
import io.millrace.management.QueueLeaseSnapshot;
import io.millrace.management.QueueSnapshot;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue's counts in the shape that JMX knows. */
record QueueShown(QueueStats stats) implements QueueSnapshot {

  @Override
  public String getName() {
    return stats.queue().name();
  }

  @Override
  public String getTenant() {
    return stats.queue().tenant();
  }

  @Override
  public Map<String, Long> getCounts() {
    return named(stats.counts());
  }

  @Override
  public Map<String, Long> getTotals() {
    return named(stats.totals());
  }

  @Override
  public @Nullable Long getOldestReadyAgeMs() {
    return stats.oldestReadyAge().map(Duration::toMillis).orElse(null);
  }

  @Override
  public String getServing() {
    return stats.serving().name();
  }

  @Override
  public @Nullable QueueLeaseSnapshot getLease() {
    return stats.leasedBy().map(QueueLeaseShown::new).orElse(null);
  }

  /** The counts under the names of their kinds, in the order of these. */
  static Map<String, Long> named(Map<? extends Enum<?>, Long> counts) {
    Map<String, Long> named = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> entry.getKey().ordinal()))
        .forEach(entry -> named.put(entry.getKey().name(), entry.getValue()));
    return named;
  }
}
