package io.millrace.spi.testkit.shared;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingView;
import io.millrace.spi.testkit.shared.CutPlan.BrokenException;
import io.millrace.spi.testkit.shared.CutPlan.CutOffException;
import io.millrace.store.memory.MemoryStore;
import io.millrace.store.memory.MemoryStore.Contents;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An open store in a {@link SharedDatabase}.
 *
 * <p>It does what every shared store must: after its connection broke it asks the database, by a
 * guarded step, what became of its batch, and sends the batch again if nothing did. Only when the
 * database cannot be reached any more is an outcome unknown, and then it refuses to go on.
 */
public final class SharedSession implements OrderedStore {

  private final SharedDatabase database;
  private final CutPlan plan;
  private final StoreOptions options;
  private final StoreInfo info;
  private final long epoch;

  /** The store that checks those obligations of the contract that need no database. */
  private final MemoryStore checker;

  private final Set<MemoryStore> viewed = ConcurrentHashMap.newKeySet();
  private volatile long lastCommit;
  private volatile long syncedCommit;
  private volatile @Nullable StoreException failure;
  private volatile boolean isClosed;

  private SharedSession(SharedDatabase database, CutPlan plan, StoreOptions options, long epoch) {
    this.database = database;
    this.plan = plan;
    this.options = options;
    this.info = database.info();
    this.epoch = epoch;
    Contents contents = database.contents();
    this.lastCommit = contents.commit();
    this.syncedCommit = database.syncedCommit();
    this.checker = new MemoryStore(info, options, epoch, contents, () -> {});
  }

  static SharedSession open(SharedDatabase database, CutPlan plan, StoreOptions options) {
    try {
      return new SharedSession(database, plan, options, acquired(database, plan, options));
    } catch (CutOffException e) {
      throw unavailable(options, e);
    }
  }

  /**
   * Takes the store over, again after a break. Doing so twice is no harm: for the same owner the
   * later epoch counts.
   */
  private static long acquired(SharedDatabase database, CutPlan plan, StoreOptions options)
      throws CutOffException {
    while (true) {
      try {
        plan.pass(CutPoint.BEFORE_OPEN);
        if (options.access() == StoreOptions.Access.READ_ONLY) {
          database.requireExisting(options);
          return database.epoch();
        }
        long epoch = database.acquire(options);
        plan.pass(CutPoint.AFTER_OPEN);
        return epoch;
      } catch (BrokenException e) {
        plan.reconnect(CutPoint.BEFORE_OPEN);
      }
    }
  }

  @Override
  public StoreInfo info() {
    requireOpen();
    return info;
  }

  @Override
  public long epoch() {
    requireOpen();
    return epoch;
  }

  @Override
  public long lastCommit() {
    requireOpen();
    return isReadOnly() ? database.contents().commit() : lastCommit;
  }

  @Override
  public long syncedCommit() {
    requireOpen();
    return isReadOnly() ? database.syncedCommit() : syncedCommit;
  }

  private boolean isReadOnly() {
    return options.access() == StoreOptions.Access.READ_ONLY;
  }

  @Override
  public OptionalLong usedBytes() {
    requireOpen();
    return OptionalLong.of(database.contents().rows().bytes());
  }

  @Override
  public ReadView read() {
    requireOpen();
    reach();
    if (viewed.size() >= info.viewCountMax()) {
      throw StoreBusyException.tooManyViews(info.viewCountMax());
    }
    return newView();
  }

  private ReadView newView() {
    MemoryStore seen = new MemoryStore(info, options, epoch, database.contents(), () -> {});
    viewed.add(seen);
    if (isClosed) {
      seen.close();
    }
    return new View(seen);
  }

  private final class View extends ForwardingView {

    private final MemoryStore seen;

    View(MemoryStore seen) {
      super(seen.read());
      this.seen = seen;
    }

    @Override
    public void close() {
      super.close();
      viewed.remove(seen);
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    requireOpen();
    reach();
    try (ReadView view = newView()) {
      return view.getAll(keys);
    }
  }

  /** Passes the point at which a read may find that the database cannot be reached. */
  private void reach() {
    try {
      try {
        plan.pass(CutPoint.BEFORE_READ);
      } catch (BrokenException e) {
        plan.reconnect(CutPoint.BEFORE_READ);
      }
    } catch (CutOffException e) {
      throw unavailable(options, e);
    }
  }

  @Override
  public void write(WriteBatch batch) {
    requireWritable();
    checker.prepare(batch);
    long number = batch.number();
    try {
      boolean isDone = false;
      while (!isDone) {
        isDone = isWritten(batch);
      }
    } catch (CutOffException e) {
      throw failed("write", e);
    } catch (StoreException e) {
      throw ended(e);
    }
    lastCommit = number;
    checker.write(batch);
    syncedCommit = Math.max(syncedCommit, database.syncedCommit());
  }

  /**
   * Sends the batch. After a break, returns whether the database has applied it; if not, it is to
   * be sent again.
   */
  private boolean isWritten(WriteBatch batch) throws CutOffException {
    try {
      plan.pass(CutPoint.BEFORE_WRITE);
      database.commit(epoch, batch, next(batch), options);
      plan.pass(CutPoint.AFTER_WRITE);
      return true;
    } catch (BrokenException e) {
      plan.reconnect(CutPoint.BEFORE_WRITE);
      return database.guardedLook(epoch, options) == batch.number();
    }
  }

  /**
   * Returns the rows after the batch, by the rows as the writer knows them: the guard is checked
   * first, whatever rows the database has.
   */
  private Contents next(WriteBatch batch) {
    return checker.prepare(batch);
  }

  @Override
  public void sync() {
    requireWritable();
    checker.sync();
    if (syncedCommit == lastCommit) {
      return;
    }
    try {
      try {
        plan.pass(CutPoint.BEFORE_SYNC);
      } catch (BrokenException e) {
        plan.reconnect(CutPoint.BEFORE_SYNC);
      }
      database.sync(epoch, options);
    } catch (CutOffException e) {
      throw failed("sync", e);
    } catch (StoreException e) {
      throw ended(e);
    }
    syncedCommit = lastCommit;
  }

  /**
   * Shows a sign of life at each call: time stands still here, so that it must not depend on time.
   */
  @Override
  public void settle() {
    requireWritable();
    checker.settle();
    try {
      plan.pass(CutPoint.BEFORE_SETTLE);
      database.guardedLook(epoch, options);
    } catch (BrokenException | CutOffException e) {
      // The next call tries again.
      return;
    } catch (StoreException e) {
      throw ended(e);
    }
  }

  @Override
  public void backupTo(Path folder) {
    requireOpen();
    throw new StoreException(
        "backups of a shared store are its database's own affair: folder=" + folder);
  }

  /**
   * Closes the store. A store that cannot be reached cannot be released, and is free when its time
   * is over.
   */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    checker.close();
    viewed.forEach(MemoryStore::close);
    if (!isReadOnly()) {
      letGo();
    }
  }

  private void letGo() {
    try {
      plan.reconnect(CutPoint.BEFORE_SETTLE);
      if (failure == null) {
        database.sync(epoch, options);
      }
      database.release(epoch);
    } catch (CutOffException e) {
      if (failure == null) {
        throw new StoreFailedException("the store could not be let go of at close", e);
      }
    } catch (StoreFencedException e) {
      // It is another's by now.
      return;
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new StoreClosedException("the store is closed");
    }
  }

  private void requireWritable() {
    requireOpen();
    if (isReadOnly()) {
      throw new IllegalStateException("the store is open for reading only");
    }
    StoreException ended = failure;
    if (ended instanceof StoreFencedException) {
      throw new StoreFencedException("another owner has the store", ended);
    }
    if (ended != null) {
      throw new StoreFailedException("an earlier call failed, open the store again", ended);
    }
  }

  private StoreException ended(StoreException thrown) {
    failure = thrown;
    return thrown;
  }

  private StoreException failed(String action, CutOffException cause) {
    return ended(
        new StoreFailedException(
            action + " failed and what became of it is unknown, open the store again", cause));
  }

  private static StoreUnavailableException unavailable(StoreOptions options, CutOffException e) {
    return new StoreUnavailableException(
        "store cannot be reached: location=" + options.shownLocation(), e);
  }
}
