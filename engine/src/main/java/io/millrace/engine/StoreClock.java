package io.millrace.engine;

import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.spi.StoreClosedException;
import java.util.OptionalLong;

/**
 * The clock of an engine whose store has a clock of its own, as databases have: the same for all
 * hosts that may own the store after each other, whose own clocks need not agree. While the store
 * is closed it goes on as it went.
 */
final class StoreClock implements EngineClock {

  private static final long NS_IN_MS = 1_000_000;

  private final ReopenableStore store;

  /** The store's time minus the monotonic clock, when it was last read. */
  private volatile long aheadNs;

  private StoreClock(ReopenableStore store, long nowMs) {
    this.store = store;
    this.aheadNs = nowMs * NS_IN_MS - SYSTEM.monotonicNs();
  }

  /** Returns the options with the store's clock, if it has one and the user has given none. */
  static EngineOptions applied(EngineOptions options, ReopenableStore store) {
    OptionalLong nowMs = store.store().clockMs();
    return nowMs.isPresent() && options.clock() == SYSTEM
        ? options.clock(new StoreClock(store, nowMs.getAsLong()))
        : options;
  }

  @Override
  public long epochMs() {
    OptionalLong nowMs;
    try {
      nowMs = store.store().clockMs();
    } catch (StoreClosedException e) {
      nowMs = OptionalLong.empty();
    }
    if (nowMs.isPresent()) {
      aheadNs = nowMs.getAsLong() * NS_IN_MS - monotonicNs();
      return nowMs.getAsLong();
    }
    return Math.floorDiv(monotonicNs() + aheadNs, NS_IN_MS);
  }

  @Override
  public long monotonicNs() {
    return SYSTEM.monotonicNs();
  }

  @Override
  public void parkNs(long durationNs) {
    SYSTEM.parkNs(durationNs);
  }
}
