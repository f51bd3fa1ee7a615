package io.millrace.store.rocksdb;

import io.millrace.spi.StoreBusyException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/**
 * The snapshots of open views in a session: those still held at its end are released with it.
 * Thread-safe; callers are inside the gate.
 */
final class Snapshots {

  /** A snapshot and the options to read it with; for one thread at a time. */
  static final class Held {
    final ReadOptions options = new ReadOptions();
    private final Snapshot snapshot;

    private Held(Snapshot snapshot) {
      this.snapshot = snapshot;
      options.setSnapshot(snapshot);
    }
  }

  private final Database database;
  private final Set<Held> all = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();

  Snapshots(Database database) {
    this.database = database;
  }

  /**
   * Takes a snapshot of the newest commit, which the caller must release.
   *
   * @throws StoreBusyException too many are held
   */
  Held take() {
    if (count.incrementAndGet() > RocksLimits.VIEW_COUNT_MAX) {
      count.decrementAndGet();
      throw StoreBusyException.tooManyViews(RocksLimits.VIEW_COUNT_MAX);
    }
    Held held = new Held(database.snapshot());
    all.add(held);
    return held;
  }

  void release(Held held) {
    if (all.remove(held)) {
      held.options.close();
      database.release(held.snapshot);
      held.snapshot.close();
      count.decrementAndGet();
    }
  }

  /** Releases all snapshots that are held; no call may be inside the gate. */
  void releaseAll() {
    all.forEach(this::release);
  }
}
