package io.millrace.spi.testkit;

/** Fault of one call to a store. */
public enum Fault {
  /** The absence of a fault: the call works. */
  NONE,
  /** Throws StoreFailedException, and nothing happened. */
  BEFORE,
  /**
   * Throws StoreFailedException. Views of this opening do not show the batch; whether it happened
   * is decided by the seed at the next crash or opening. A failed sync leaves that to the crash
   * anyway and is the same as {@link #BEFORE}.
   */
  UNKNOWN,
  /** Throws StoreFailedException, but it all happened. */
  AFTER,
  /**
   * Throws StoreFullException, and nothing happened; a sync that meets it fails as {@link #BEFORE}.
   */
  FULL,
  /** Runs the slow callback first, then works. */
  SLOW
}
