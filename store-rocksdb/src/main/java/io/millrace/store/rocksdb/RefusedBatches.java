package io.millrace.store.rocksdb;

/** A series of refused batches, and the time that it has lasted. For the writer's thread. */
final class RefusedBatches {

  private boolean isOn;
  private long sinceNs;
  private long atNs;

  /** Adds a batch that was refused just now, and begins the series if none is under way. */
  void add() {
    atNs = System.nanoTime();
    if (!isOn) {
      isOn = true;
      sinceNs = atNs;
    }
  }

  /** Ends the series, for a batch was taken. */
  void end() {
    isOn = false;
  }

  boolean isOn() {
    return isOn;
  }

  /**
   * Tells whether a series is under way whose first and newest refusals are at least so many
   * nanoseconds apart.
   */
  boolean haveLasted(long ns) {
    return isOn && atNs - sinceNs >= ns;
  }
}
