package io.millrace.internal.commit;

/**
 * When the store is seen to: whenever the loop has nothing to do, and about once a second in any
 * case. Groups that write nothing may follow each other for ever, and a store that is held by time
 * would be lost.
 *
 * <p>Belongs to the loop's thread.
 */
final class Settling {

  /** The store is to be seen to about once a second. */
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

  /** The store was opened just now. */
  void opened() {
    settledAtNs = time.nowNs();
  }

  /** The store is seen to though there is something to do. */
  void settleIfDue() {
    if (time.nowNs() - settledAtNs >= SETTLE_NS) {
      settle();
    }
  }

  void settle() {
    settledAtNs = time.nowNs();
    if (outage.isOver()) {
      store.store().settle();
    }
  }
}
