package io.millrace.spi.testkit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.MemoryStore;
import io.millrace.store.memory.MemoryStore.Contents;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store that is open on a simulated disk: a store in memory does the work and keeps the contract,
 * and the session adds the faults and tells the disk.
 *
 * <p>Faults come only after the contract's checks, so that a call that would be refused anyway does
 * not use one up.
 */
final class FaultySession implements OrderedStore {

  private final FaultyStore machine;
  private final FaultyDisk disk;
  private final MemoryStore rows;
  private final StoreInfo.Syncing syncing;
  private final boolean isWritable;
  private final ReentrantLock writeLock = new ReentrantLock();

  /** The write lock, unless syncs run beside writes. Close takes it after the write lock. */
  private final ReentrantLock syncLock;

  private volatile long syncedCommit;
  private volatile boolean hasFailed;
  private volatile boolean isClosed;

  FaultySession(FaultyStore machine, FaultyDisk disk, StoreInfo info, StoreOptions options) {
    this.machine = machine;
    this.disk = disk;
    this.syncing = info.syncing();
    this.isWritable = options.access() == StoreOptions.Access.READ_WRITE;
    this.rows = new MemoryStore(info, options, disk.epoch(), disk.newest(), () -> {});
    this.syncLock = syncing == StoreInfo.Syncing.BESIDE_WRITE ? new ReentrantLock() : writeLock;
    this.syncedCommit = disk.syncedCommit();
  }

  @Override
  public StoreInfo info() {
    return rows.info();
  }

  @Override
  public long epoch() {
    return rows.epoch();
  }

  @Override
  public long lastCommit() {
    return rows.lastCommit();
  }

  @Override
  public long syncedCommit() {
    requireOpen();
    return syncedCommit;
  }

  @Override
  public OptionalLong usedBytes() {
    return rows.usedBytes();
  }

  @Override
  public ReadView read() {
    return rows.read();
  }

  @Override
  public void write(WriteBatch batch) {
    writeLock.lock();
    try {
      requireOpen();
      requireSound();
      Contents next = rows.prepare(batch);
      machine.requireRoom(batch.reserve());
      Fault fault = machine.nextFault(StoreCall.WRITE);
      switch (fault) {
        case NONE, SLOW -> apply(batch, next);
        case FULL -> throw new StoreFullException("the store is full: fault injected");
        case BEFORE -> throw failed("the write failed: fault injected");
        case UNKNOWN -> {
          disk.doubt(this, next);
          throw failed("the write failed: fault injected");
        }
        case AFTER -> {
          apply(batch, next);
          throw failed("the write failed: fault injected");
        }
      }
    } finally {
      writeLock.unlock();
    }
  }

  @Override
  public void sync() {
    syncLock.lock();
    try {
      requireOpen();
      long commit = rows.lastCommit();
      requireSound();
      rows.sync();
      syncThrough(commit);
    } finally {
      syncLock.unlock();
    }
  }

  @Override
  public void settle() {
    writeLock.lock();
    try {
      requireOpen();
      requireSound();
      rows.settle();
    } finally {
      writeLock.unlock();
    }
  }

  @Override
  public void backupTo(Path folder) {
    requireOpen();
    machine.copy(epoch(), rows.contents(), folder);
  }

  @Override
  public void close() {
    writeLock.lock();
    syncLock.lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
      rows.close();
      syncAtEnd();
    } finally {
      disk.release(this);
      syncLock.unlock();
      writeLock.unlock();
    }
  }

  private void syncAtEnd() {
    if (!isWritable || !disk.isHeldBy(this)) {
      return;
    }
    if (hasFailed) {
      throw new StoreFailedException("the store failed before it was closed");
    }
    if (disk.syncedCommit() < rows.contents().commit()) {
      syncThrough(rows.contents().commit());
    }
  }

  private void apply(WriteBatch batch, Contents next) {
    disk.append(this, next);
    rows.write(batch);
    if (syncing == StoreInfo.Syncing.WRITE_SYNCS_PREVIOUS) {
      disk.sync(this, batch.previous());
      syncedCommit = batch.previous();
    }
  }

  private void syncThrough(long commit) {
    switch (machine.nextFault(StoreCall.SYNC)) {
      case NONE, SLOW -> {
        disk.sync(this, commit);
        syncedCommit = commit;
      }
      case BEFORE, UNKNOWN, FULL -> throw failed("the sync failed: fault injected");
      case AFTER -> {
        disk.sync(this, commit);
        throw failed("the sync failed: fault injected");
      }
    }
  }

  private StoreFailedException failed(String message) {
    hasFailed = true;
    return new StoreFailedException(message);
  }

  private void requireSound() {
    if (hasFailed) {
      throw new StoreFailedException("the store failed before: open it again");
    }
    if (isWritable && !disk.isHeldBy(this)) {
      throw failed("the power failed while the store was open");
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new StoreClosedException("the store is closed");
    }
  }
}
