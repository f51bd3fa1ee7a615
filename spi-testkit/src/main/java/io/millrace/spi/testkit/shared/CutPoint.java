package io.millrace.spi.testkit.shared;

/** Point at which the connection of a store to its database may break. */
public enum CutPoint {
  /** During a take-over, before the database has heard of it. */
  BEFORE_OPEN,
  /** During a take-over, after the database has carried it out. */
  AFTER_OPEN,
  /** Before the database has heard of a batch. */
  BEFORE_WRITE,
  /** After the database has applied a batch, before the store has heard that it has. */
  AFTER_WRITE,
  /** Before the database has heard that the buffered batches are to be synced. */
  BEFORE_SYNC,
  /** Before a view is opened, or rows are read without one. */
  BEFORE_READ,
  /** Before the database has heard that its owner lives. */
  BEFORE_SETTLE
}
