package io.millrace.internal.commit;

/**
 * The times at which the store is seen to: whenever the loop has nothing to do, and twice a second
 * in any case. Groups that write nothing may follow each other for ever, and a store that is held
 * by time would be lost.
 *
 * <p>Belongs to the loop's thread.
 */
final class Settling {

  /** Half a second: stores want it about once a second. */
  private static final long SETTLE_NS = 500_000_000L;

  private final ReopenableStore store;
  private final EngineTime time;
  private final Outage outage;
  private long settledAtNs;

  Settling(ReopenableStore store, EngineTime time, Outage outage) {
    this.store = store;
    this.time = time;
    this.outage = outage;
  }

  /** Begins anew: the store was opened just now. */
  void opened() {
    settledAtNs = time.nowNs();
  }

  /** Has the store see to itself, if it is time, though there is something to do. */
  void settleIfDue() {
    if (time.nowNs() - settledAtNs >= SETTLE_NS) {
      settle();
    }
  }

  /** Has the store see to itself, unless it is being opened again. */
  void settle() {
    settledAtNs = time.nowNs();
    if (outage.isOver()) {
      store.store().settle();
    }
  }
}
