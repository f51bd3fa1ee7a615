package io.millrace.management;

/** A distribution over two times. */
public interface SpreadSnapshot {

  /** Of about the last minute. */
  DistributionSnapshot getRecent();

  DistributionSnapshot getSinceOpening();
}
