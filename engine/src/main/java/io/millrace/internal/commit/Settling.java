package io.millrace.internal.commit;

/**
 * The times at which the store settles: whenever the loop has nothing to do, and twice a second in
 * any case. Groups that write nothing may follow each other for ever, and a store that is held for
 * limited times would be lost.
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

  /** Restarts the interval, for the store was opened just now. */
  void opened() {
    settledAtNs = time.nowNs();
  }

  /** Lets the store settle if the interval is over, though there is other work. */
  void settleIfDue() {
    if (time.nowNs() - settledAtNs >= SETTLE_NS) {
      settle();
    }
  }

  /** Lets the store settle, unless there is an outage. */
  void settle() {
    settledAtNs = time.nowNs();
    if (outage.isOver()) {
      store.store().settle();
    }
  }
}
