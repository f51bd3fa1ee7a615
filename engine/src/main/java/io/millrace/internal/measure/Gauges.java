package io.millrace.internal.measure;

import java.util.concurrent.atomic.AtomicLongArray;

/** How much of what only the loop may count there is now. The loop sets, any thread reads. */
public final class Gauges {

  private final AtomicLongArray values = new AtomicLongArray(Gauge.values().length);

  /** What there is. */
  public enum Gauge {
    LEASES,
    PARKED_CLAIMS,
    WINDOW_BYTES,
    /** Token buckets that are kept, since they are not full. */
    RATE_BUCKETS,
    /** Queues whose claims wait for a token. */
    RATE_LIMITED_QUEUES,
    /** Names across whose tenants somebody claims. */
    TENANT_NAMES,
    /** Tenants of these in their rings. */
    TENANT_TURNS,
    /** Broadcasts that have not reached all who waited. */
    BROADCASTS
  }

  public void set(Gauge gauge, long value) {
    values.lazySet(gauge.ordinal(), value);
  }

  public long get(Gauge gauge) {
    return values.get(gauge.ordinal());
  }

  /** One of those that count things in memory. */
  public int count(Gauge gauge) {
    return (int) get(gauge);
  }
}
