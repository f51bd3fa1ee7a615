package io.millrace.spi.testkit.shared;

/** Where the connection of a store to its database may break. */
public enum CutPoint {
  /** While it takes the store over, before the database has heard of that. */
  BEFORE_OPEN,
  /** While it takes the store over, after the database has done so. */
  AFTER_OPEN,
  /** Before the database has heard of a batch. */
  BEFORE_WRITE,
  /** After the database has applied a batch, before the store has heard that it has. */
  AFTER_WRITE,
  /** Before the database has heard that what was buffered is to be synced. */
  BEFORE_SYNC,
  /** Before a view is opened, or rows are looked at without one. */
  BEFORE_READ,
  /** Before the database has heard that its owner lives. */
  BEFORE_SETTLE
}
