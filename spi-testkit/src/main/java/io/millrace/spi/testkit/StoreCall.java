package io.millrace.spi.testkit;

/** A call that a {@link FaultPlan} may let go wrong; each kind is counted on its own. */
public enum StoreCall {
  WRITE,
  /** A sync, also the one inside {@code close}. */
  SYNC
}
