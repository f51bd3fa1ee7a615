package io.millrace.store.lmdb;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;

/**
 * A log in a store's folder that is written only while the folder is still ours.
 *
 * <p>It looks at the folder before each step, unless it just did: an owner that was away for long
 * finds out that another came. It looks again after the step, so that no write is told without a
 * look.
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
