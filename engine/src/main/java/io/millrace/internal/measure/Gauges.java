package io.millrace.internal.measure;

import java.util.concurrent.atomic.AtomicLongArray;

/** Gauges that the commit loop sets and any thread reads: figures that only the loop can count. */
public final class Gauges {

  private final AtomicLongArray values = new AtomicLongArray(Gauge.values().length);

  /** The gauges by what they measure: numbers of things in memory, and bytes. */
  public enum Gauge {
    LEASES,
    PARKED_CLAIMS,
    WINDOW_BYTES,
    /** The token buckets that are kept, since they are not full. */
    RATE_BUCKETS,
    /** The queues whose claims wait for a token. */
    RATE_LIMITED_QUEUES,
    /** The names across whose tenants there are claims. */
    TENANT_NAMES,
    /** The tenants of these names in their rings. */
    TENANT_TURNS,
    /** The broadcasts that have not reached all jobs that waited. */
    BROADCASTS
  }

  public void set(Gauge gauge, long value) {
    values.lazySet(gauge.ordinal(), value);
  }

  public long get(Gauge gauge) {
    return values.get(gauge.ordinal());
  }

  /** Returns a gauge that counts things in memory. */
  public int count(Gauge gauge) {
    return (int) get(gauge);
  }
}
