package io.millrace.spi.testkit;

/** Fault of one call to a store. */
public enum Fault {
  /** The absence of a fault: the call works. */
  NONE,
  /** A StoreFailedException, and nothing happened. */
  BEFORE,
  /**
   * A StoreFailedException with an unknown outcome. Views of this opening do not show the batch;
   * whether it happened is decided by the seed at the next crash or opening. A failed sync leaves
   * that to the crash anyway and is the same as {@link #BEFORE}.
   */
  UNKNOWN,
  /** A StoreFailedException, but it all happened. */
  AFTER,
  /** A StoreFullException, and nothing happened; a sync that meets it fails as {@link #BEFORE}. */
  FULL,
  /** A delay: the call runs the slow callback first, then works. */
  SLOW
}
