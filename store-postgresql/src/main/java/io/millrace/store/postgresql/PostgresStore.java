package io.millrace.store.postgresql;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.CallGate;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An open store in a PostgreSQL database.
 *
 * <p>The writer's thread has a connection of its own, over which it writes and reads. All others
 * read by connections of a pool, each view in a transaction. The store is its owner's by the guard
 * row alone: what a statement finds there decides, and no clock of this host does.
 */
final class PostgresStore implements OrderedStore {

  static final String NAME = "postgresql";

  private static final int BATCH_OPERATIONS_MAX = 32_768;
  private static final long BATCH_BYTES_MAX = 32L << 20;
  private static final Duration ROUND_TRIP_HINT = Duration.ofMillis(1);

  private static final long CLOSE_WAIT_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int SNAPSHOT_TRIES = 3;
  private static final long USED_BYTES_AGE_NS = TimeUnit.SECONDS.toNanos(10);

  private final Parts parts;
  private final StoreInfo info;
  private final Guard opened;
  private final ViewPool pool;
  private final @Nullable Writer writer;
  private final CallGate gate;
  private final AtomicReference<Thread> writerThread = new AtomicReference<>();

  /** The views that read on the writer's connection. */
  private final Set<PgView> ofWriter = ConcurrentHashMap.newKeySet();

  private volatile OptionalLong usedBytes = OptionalLong.empty();
  private volatile long usedBytesAtNs;

  private PostgresStore(
      Parts parts, String storeId, Guard opened, CallGate gate, @Nullable Writer writer) {
    this.parts = parts;
    this.opened = opened;
    this.gate = gate;
    this.writer = writer;
    this.info =
        StoreInfo.of(NAME, storeId)
            .batchBytesMax(BATCH_BYTES_MAX)
            .batchOperationsMax(BATCH_OPERATIONS_MAX)
            .viewCountMax(parts.location.readers() + 1)
            .syncing(StoreInfo.Syncing.WITH_WRITE)
            .sharing(StoreInfo.Sharing.SHARED)
            .backup(StoreInfo.Backup.NONE)
            .roundTripHint(ROUND_TRIP_HINT);
    this.pool =
        new ViewPool(
            parts.ofReaders, parts.sql, info.viewCountMax(), parts.options.shownLocation());
    this.usedBytesAtNs = parts.nowNs.getAsLong() - USED_BYTES_AGE_NS;
  }

  /**
   * Parts that a store is made of.
   *
   * @param ofWriter gives the writer's connection
   * @param ofReaders gives those of all others
   * @param nowNs the clock by which the owner's time is counted here
   * @param clock the database's, as the owner hears of it
   */
  record Parts(
      Connector ofWriter,
      Connector ofReaders,
      PgLocation location,
      StoreOptions options,
      Sql sql,
      LongSupplier nowNs,
      DatabaseClock clock) {}

  static PostgresStore forReading(Parts parts, String storeId, Guard guard) {
    return new PostgresStore(parts, storeId, guard, new CallGate(), null);
  }

  /**
   * Creates the store of an owner.
   *
   * @param connection becomes the writer's
   * @param timeline the server's history of commits
   */
  static PostgresStore forWriting(
      Parts parts, String storeId, Guard guard, Connection connection, String timeline) {
    CallGate gate = new CallGate();
    WriterLink.Patience patience =
        new WriterLink.Patience(parts.location.patience(), System::nanoTime, gate::isClosed);
    WriterLink link =
        new WriterLink(
            new WriterLink.Ways(parts.ofWriter, parts.sql, parts.clock),
            patience,
            connection,
            timeline);
    Writer.Limits limits =
        new Writer.Limits(
            parts.options.ownedFor().toMillis(),
            parts.options.storeBytesMax(),
            parts.options.shownLocation());
    Writer writer = new Writer(link, parts.sql, guard, limits, parts.nowNs);
    return new PostgresStore(parts, storeId, guard, gate, writer);
  }

  @Override
  public StoreInfo info() {
    requireOpen();
    return info;
  }

  @Override
  public long epoch() {
    requireOpen();
    return opened.epoch();
  }

  @Override
  public long lastCommit() {
    requireOpen();
    return writer == null ? now().n() : writer.lastCommit();
  }

  @Override
  public long syncedCommit() {
    requireOpen();
    return writer == null ? now().synced() : writer.syncedCommit();
  }

  private Guard now() {
    gate.enter();
    try {
      return pool.once((connection, check) -> Guard.read(connection, parts.sql));
    } finally {
      gate.exit();
    }
  }

  /**
   * Returns what the table of rows takes on the server's disk with its index, dead rows and free
   * pages included; {@link StoreOptions#storeBytesMax} concerns living rows. Asks once in ten
   * seconds at most.
   */
  @Override
  public OptionalLong usedBytes() {
    gate.enter();
    try {
      if (parts.nowNs.getAsLong() - usedBytesAtNs >= USED_BYTES_AGE_NS) {
        usedBytesAtNs = parts.nowNs.getAsLong();
        usedBytes = OptionalLong.of(askUsedBytes());
      }
      return usedBytes;
    } catch (StoreClosedException e) {
      throw e;
    } catch (StoreException e) {
      // What was known last is better than nothing.
      return usedBytes;
    } finally {
      gate.exit();
    }
  }

  private long askUsedBytes() {
    return pool.once(
        (connection, check) -> {
          try (PreparedStatement ask = Statements.prepare(connection, Sql.USED_BYTES)) {
            ask.setString(1, parts.location.schema());
            try (ResultSet row = ask.executeQuery()) {
              return row.next() ? row.getLong(1) : 0L;
            }
          }
        });
  }

  @Override
  public OptionalLong clockMs() {
    requireOpen();
    return parts.clock.nowMs();
  }

  @Override
  public ReadView read() {
    gate.enter();
    try {
      pool.count();
      boolean isOpen = false;
      try {
        PgView view = isWriterThread() ? viewOfWriter() : viewOfOthers();
        isOpen = true;
        return view;
      } finally {
        if (!isOpen) {
          pool.uncount();
        }
      }
    } finally {
      gate.exit();
    }
  }

  private boolean isWriterThread() {
    return writer != null && writerThread.get() == Thread.currentThread();
  }

  private PgView viewOfOthers() {
    return PgView.ofSnapshot(shared(pool::uncount), pool.begin());
  }

  private PgView viewOfWriter() {
    Writer owner = requireWriter();
    PgView[] made = new PgView[1];
    made[0] =
        PgView.ofWriter(
            shared(
                () -> {
                  ofWriter.remove(made[0]);
                  pool.uncount();
                }),
            owner.lastCommit(),
            owner);
    ofWriter.add(made[0]);
    return made[0];
  }

  private PgView.Shared shared(Runnable onClose) {
    return new PgView.Shared(gate, info, parts.sql, onClose);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    gate.enter();
    try {
      keys.forEach(info::requireKey);
      if (keys.isEmpty()) {
        return List.of();
      }
      if (isWriterThread()) {
        return requireWriter()
            .read((connection, check) -> RowReads.getAll(connection, parts.sql, keys, check));
      }
      pool.count();
      try {
        return pool.once(
            (connection, check) -> RowReads.getAll(connection, parts.sql, keys, check));
      } finally {
        pool.uncount();
      }
    } finally {
      gate.exit();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    gate.enter();
    try {
      Writer owner = requireWriterThread();
      batch.requireAcceptable(owner.lastCommit(), info);
      keepOpenViews();
      owner.write(batch);
    } finally {
      gate.exit();
    }
  }

  /** Lets the writer's open views see what they see now, for it is about to change. */
  private void keepOpenViews() {
    ofWriter.removeIf(this::isKept);
  }

  private boolean isKept(PgView view) {
    Snapshot taken = takenSnapshot();
    boolean isSame = taken.isEnded() || requireWriter().isAt(taken.guard());
    if (isSame) {
      view.become(taken);
    } else {
      // Another owner was there, and the view says so when it is used.
      taken.close();
    }
    return isSame;
  }

  private Snapshot takenSnapshot() {
    for (int left = SNAPSHOT_TRIES - 1; true; left--) {
      try {
        return pool.begin();
      } catch (StoreUnavailableException e) {
        if (left == 0) {
          return Snapshot.ended(pool, opened, parts.options.shownLocation());
        }
      }
    }
  }

  @Override
  public void sync() {
    gate.enter();
    try {
      requireWriterThread().sync();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void settle() {
    gate.enter();
    try {
      requireWriterThread().settle();
    } finally {
      gate.exit();
    }
  }

  private Writer requireWriter() {
    Writer owner = writer;
    if (owner == null) {
      throw new IllegalStateException("the store is open for reading only");
    }
    return owner;
  }

  /** Checks that the call may change something, and comes from the thread that all such do. */
  private Writer requireWriterThread() {
    Writer owner = requireWriter();
    Thread current = Thread.currentThread();
    Thread first = writerThread.compareAndExchange(null, current);
    if (first != null && first != current) {
      throw new IllegalStateException(
          "the store belongs to another writer thread: owner="
              + first.getName()
              + ", caller="
              + current.getName());
    }
    owner.requireGoing();
    return owner;
  }

  @Override
  public void backupTo(Path folder) {
    requireOpen();
    throw new StoreException(
        "backups are the database's own affair, as by pg_dump; or copy the store into another:"
            + " folder="
            + folder);
  }

  @Override
  public synchronized void close() {
    if (!gate.close()) {
      return;
    }
    if (!gate.awaitEmpty(CLOSE_WAIT_NS)) {
      pool.close();
      if (writer != null) {
        writer.interrupt();
      }
      if (!gate.awaitEmpty(CLOSE_WAIT_NS)) {
        gate.leaveToLast(this::free);
        throw new StoreFailedException(
            "a call did not end in time while the store was closed; the last to leave frees it:"
                + " location="
                + parts.options.shownLocation());
      }
    }
    free();
  }

  private void free() {
    pool.close();
    Writer owner = writer;
    if (owner == null) {
      return;
    }
    try {
      owner.letGo();
    } catch (StoreException e) {
      // Who was told before that it failed, or is another's, need not hear it again.
      if (!owner.hasFailed()) {
        throw e;
      }
    } finally {
      owner.close();
    }
  }

  private void requireOpen() {
    gate.enter();
    gate.exit();
  }
}
