package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;

/**
 * A log in a store's folder, to which nothing is written unless the folder is still ours.
 *
 * <p>Before each step the folder's ownership is checked, unless that was just done: an owner that
 * was away for long finds out that another came. It is checked after the step as well: nothing that
 * was written is acknowledged before a look.
 */
final class OwnedLog implements BatchLog {

  private final BatchLog log;
  private final StoreFolder folder;

  OwnedLog(BatchLog log, StoreFolder folder) {
    this.log = log;
    this.folder = folder;
  }

  @Override
  public long lastNumber() {
    return log.lastNumber();
  }

  @Override
  public long syncedNumber() {
    return log.syncedNumber();
  }

  @Override
  public long partBytes() {
    return log.partBytes();
  }

  @Override
  public void append(WriteBatch batch) {
    folder.keepOwned();
    log.append(batch);
    folder.keepOwned();
  }

  @Override
  public void sync() {
    folder.keepOwned();
    log.sync();
    folder.keepOwned();
  }

  @Override
  public void turn() {
    folder.keepOwned();
    log.turn();
    folder.keepOwned();
  }

  @Override
  public void release(long number) {
    log.release(number);
  }

  @Override
  public void close() {
    log.close();
  }
}
