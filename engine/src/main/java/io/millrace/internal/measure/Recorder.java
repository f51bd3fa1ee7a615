package io.millrace.internal.measure;

import io.millrace.api.EngineClock;
import io.millrace.api.EngineMetrics;

/**
 * Figures that the loop notes about its work. Each noting method belongs to one thread at a time;
 * all figures may be read by any.
 */
public final class Recorder {

  private final EngineClock clock;
  private final long openedNs;
  private final RecentHistogram commitNs;
  private final RecentHistogram syncNs;
  private final RecentHistogram groupRequests;
  private final Gauges gauges = new Gauges();

  public Recorder(EngineClock clock) {
    this.clock = clock;
    this.openedNs = clock.monotonicNs();
    this.commitNs = new RecentHistogram(openedNs);
    this.syncNs = new RecentHistogram(openedNs);
    this.groupRequests = new RecentHistogram(openedNs);
  }

  /**
   * Begins a write or sync. Returns the time that {@link #wrote} or {@link #synced} is to be given.
   */
  public long begin() {
    return clock.monotonicNs();
  }

  /** Notes that a batch was written that carries out this many requests. */
  public void wrote(long begunNs, int requestCount) {
    long nowNs = clock.monotonicNs();
    commitNs.add(nowNs - begunNs, nowNs);
    if (requestCount > 0) {
      groupRequests.add(requestCount, nowNs);
    }
  }

  /** Notes that the store was synced. */
  public void synced(long begunNs) {
    long nowNs = clock.monotonicNs();
    syncNs.add(nowNs - begunNs, nowNs);
  }

  public Gauges gauges() {
    return gauges;
  }

  /** Returns the time since the engine was opened, in nanoseconds. */
  public long openForNs() {
    return clock.monotonicNs() - openedNs;
  }

  public EngineMetrics.Spread commitNs() {
    return commitNs.spread(clock.monotonicNs());
  }

  public EngineMetrics.Spread syncNs() {
    return syncNs.spread(clock.monotonicNs());
  }

  public EngineMetrics.Spread groupRequests() {
    return groupRequests.spread(clock.monotonicNs());
  }
}
