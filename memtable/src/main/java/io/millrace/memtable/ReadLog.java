package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.WriteBatch;

/**
 * A log that was read, and is not written to.
 *
 * @param lastNumber number of the newest batch in the log or the store beneath
 */
record ReadLog(long lastNumber) implements BatchLog {

  @Override
  public long syncedNumber() {
    return lastNumber;
  }

  @Override
  public long partBytes() {
    return 0;
  }

  @Override
  public void append(WriteBatch batch) {
    throw readOnly();
  }

  @Override
  public void sync() {
    throw readOnly();
  }

  @Override
  public void turn() {
    throw readOnly();
  }

  @Override
  public void release(long number) {
    throw readOnly();
  }

  @Override
  public void close() {}

  private static IllegalStateException readOnly() {
    return new IllegalStateException("log is open for reading only");
  }
}
