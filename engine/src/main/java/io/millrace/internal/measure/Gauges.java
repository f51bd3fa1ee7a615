package io.millrace.internal.measure;

import java.util.concurrent.atomic.AtomicLongArray;

/** How much of what only the loop may count there is now. The loop sets, any thread reads. */
public final class Gauges {

  private static final int LEASES = 0;
  private static final int PARKED_CLAIMS = 1;
  private static final int WINDOW_BYTES = 2;
  private static final int KINDS = 3;

  private final AtomicLongArray values = new AtomicLongArray(KINDS);

  public void set(int leaseCount, int parkedClaimCount, long windowBytes) {
    values.lazySet(LEASES, leaseCount);
    values.lazySet(PARKED_CLAIMS, parkedClaimCount);
    values.lazySet(WINDOW_BYTES, windowBytes);
  }

  public int leaseCount() {
    return (int) values.get(LEASES);
  }

  public int parkedClaimCount() {
    return (int) values.get(PARKED_CLAIMS);
  }

  public long windowBytes() {
    return values.get(WINDOW_BYTES);
  }
}
