package io.millrace.store.rocksdb;

/** A row of refused batches, and how long it has lasted. For the writer's thread. */
final class Refusals {

  private boolean isOn;
  private long sinceNs;
  private long atNs;

  /** One more was refused just now. */
  void add() {
    atNs = System.nanoTime();
    if (!isOn) {
      isOn = true;
      sinceNs = atNs;
    }
  }

  /** One was taken. */
  void end() {
    isOn = false;
  }

  boolean isOn() {
    return isOn;
  }

  /** Whether there was so much time between the first and the newest. */
  boolean haveLasted(long ns) {
    return isOn && atNs - sinceNs >= ns;
  }
}
