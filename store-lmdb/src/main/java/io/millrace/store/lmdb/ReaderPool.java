package io.millrace.store.lmdb;

import io.millrace.spi.StoreBusyException;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.lmdbjava.LmdbException;

/** The readers of a store, idle and lent. Thread-safe; callers are inside the gate. */
final class ReaderPool {

  private final Database database;
  private final Deque<Reader> idle = new ConcurrentLinkedDeque<>();
  private final Queue<Reader> all = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  ReaderPool(Database database) {
    this.database = database;
  }

  /**
   * Lends a reader that sees the newest commit; it is to be given back.
   *
   * @throws StoreBusyException all readers are lent
   */
  Reader take() {
    Reader reader = idle.pollFirst();
    if (reader != null) {
      return renewed(reader);
    }
    if (count.incrementAndGet() > LmdbLimits.VIEW_COUNT_MAX) {
      count.decrementAndGet();
      throw StoreBusyException.tooManyViews(LmdbLimits.VIEW_COUNT_MAX);
    }
    try {
      reader = new Reader(database);
    } catch (LmdbException e) {
      count.decrementAndGet();
      throw LmdbErrors.translate("view cannot be opened", database.folder(), e);
    }
    all.add(reader);
    return reader;
  }

  void giveBack(Reader reader) {
    reader.reset();
    idle.addFirst(reader);
  }

  /** Frees all readers, lent ones too. No call may be inside the gate. */
  void free() {
    for (Reader reader : all) {
      reader.free();
    }
    all.clear();
    idle.clear();
  }

  private Reader renewed(Reader reader) {
    try {
      reader.renew();
      return reader;
    } catch (LmdbException e) {
      throw LmdbErrors.translate("view cannot be opened", database.folder(), e);
    }
  }
}
