package io.millrace.store.postgresql;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.WriteBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The owner's work on the store: batches, syncs, signs of life, and reads that find out whether the
 * store is still his.
 *
 * <p>For the writer's thread, but for what is volatile and for reads.
 */
final class Writer implements RowReads.Way {

  /** Number of signs of life in the time for which the store is ours, if nothing is written. */
  private static final int RENEWALS = 3;

  private final WriterLink link;
  private final Sql sql;
  private final long epoch;
  private final Limits limits;
  private final LongSupplier nowNs;
  private volatile long lastCommit;
  private volatile long syncedCommit;
  private volatile @Nullable StoreException failure;
  private long renewedAtNs;

  /**
   * Creates the work of the owner of an epoch.
   *
   * @param guard the guard as it was when the store was taken
   */
  Writer(WriterLink link, Sql sql, Guard guard, Limits limits, LongSupplier nowNs) {
    this.link = link;
    this.sql = sql;
    this.epoch = guard.epoch();
    this.limits = limits;
    this.nowNs = nowNs;
    this.lastCommit = guard.n();
    this.syncedCommit = guard.n();
    this.renewedAtNs = nowNs.getAsLong();
  }

  /**
   * Limits and names of the store.
   *
   * @param ownedMs for how long the store stays ours after each sign of life
   * @param bytesMax what rows may take
   * @param shownLocation the location as it may be shown
   */
  record Limits(long ownedMs, long bytesMax, String shownLocation) {

    /** The room that is kept for batches which free more than they take. */
    private static final long RESERVE_BYTES = 1L << 20;

    long bytesMax(WriteBatch.Reserve reserve) {
      return bytesMax + (reserve == WriteBatch.Reserve.USE ? RESERVE_BYTES : 0);
    }
  }

  long epoch() {
    return epoch;
  }

  long lastCommit() {
    return lastCommit;
  }

  long syncedCommit() {
    return syncedCommit;
  }

  /** Throws if the store cannot go on, because it failed or because another has it. */
  void requireGoing() {
    StoreException ended = failure;
    if (ended instanceof StoreFencedException) {
      throw new StoreFencedException("another owner has the store", ended);
    }
    if (ended != null) {
      throw new StoreFailedException("an earlier call failed, open the store again", ended);
    }
  }

  boolean hasFailed() {
    return failure != null;
  }

  /** Writes a batch that was found acceptable. */
  void write(WriteBatch batch) {
    boolean isDurable = batch.wanted() == WriteBatch.Wanted.SYNCED;
    Operations operations = Operations.of(batch);
    Guard guard;
    try {
      guard =
          link.call(
              connection -> {
                try (PreparedStatement call = Statements.prepare(connection, sql.write())) {
                  call.setLong(1, epoch);
                  call.setLong(2, batch.previous());
                  call.setLong(3, batch.number());
                  call.setBoolean(4, isDurable);
                  call.setLong(5, limits.ownedMs);
                  call.setLong(6, limits.bytesMax(batch.reserve()));
                  operations.set(call, 7);
                  return link.guard(call);
                }
              });
    } catch (WriterLink.RefusedException e) {
      if (SqlErrors.kind(e.reason()) == SqlErrors.Kind.FULL) {
        throw SqlErrors.full(e.reason(), limits.shownLocation);
      }
      throw ended(SqlErrors.failed(e.reason(), limits.shownLocation));
    } catch (WriterLink.GivenUpException e) {
      throw ended(SqlErrors.failed(e.reason(), limits.shownLocation));
    }
    requireAt(guard, batch.number());
    link.nothingIsLost(epoch);
    lastCommit = batch.number();
    if (isDurable) {
      syncedCommit = batch.number();
    }
    renewedAtNs = nowNs.getAsLong();
  }

  /** The operations of a batch, as the database's function takes them. */
  private record Operations(long addedBytes, byte[][] gone, byte[][] changed, byte[][][] rows) {

    static Operations of(WriteBatch batch) {
      List<byte[]> gone = new ArrayList<>();
      List<byte[]> changed = new ArrayList<>();
      List<byte[]> keys = new ArrayList<>();
      List<byte[]> values = new ArrayList<>();
      long added = 0;
      for (int i = 0; i < batch.size(); i++) {
        byte[] key = batch.key(i);
        byte[] value = batch.value(i);
        if (value == null) {
          gone.add(key);
        } else {
          keys.add(key);
          values.add(value);
          added += key.length + value.length + Sql.ROW_BYTES;
          if (!batch.isNew(i)) {
            changed.add(key);
          }
        }
      }
      return new Operations(
          added, array(gone), array(changed), new byte[][][] {array(keys), array(values)});
    }

    private static byte[][] array(List<byte[]> list) {
      return list.toArray(byte[][]::new);
    }

    void set(PreparedStatement call, int index) throws SQLException {
      call.setLong(index, addedBytes);
      Statements.setBytes(call, index + 1, gone);
      Statements.setBytes(call, index + 2, changed);
      Statements.setBytes(call, index + 3, rows[0]);
      Statements.setBytes(call, index + 4, rows[1]);
    }
  }

  /** Makes all batches durable, by a commit that the server makes durable after them. */
  void sync() {
    if (syncedCommit == lastCommit) {
      return;
    }
    Guard guard;
    try {
      guard = link.call(connection -> keep(connection, true, limits.ownedMs));
    } catch (WriterLink.RefusedException e) {
      throw ended(SqlErrors.failed(e.reason(), limits.shownLocation));
    } catch (WriterLink.GivenUpException e) {
      throw ended(SqlErrors.failed(e.reason(), limits.shownLocation));
    }
    requireAt(guard, lastCommit);
    link.nothingIsLost(epoch);
    syncedCommit = lastCommit;
    renewedAtNs = nowNs.getAsLong();
  }

  /** Gives a sign of life if it is time for one. What cannot be sent is left to the next call. */
  void settle() {
    long renewalNs = limits.ownedMs * 1_000_000 / RENEWALS;
    if (nowNs.getAsLong() - renewedAtNs < renewalNs) {
      return;
    }
    Guard guard;
    try {
      guard = link.callAtMost(1, connection -> keep(connection, false, limits.ownedMs));
    } catch (WriterLink.RefusedException e) {
      throw ended(SqlErrors.failed(e.reason(), limits.shownLocation));
    } catch (WriterLink.GivenUpException e) {
      return;
    }
    requireAt(guard, lastCommit);
    link.nothingIsLost(epoch);
    renewedAtNs = nowNs.getAsLong();
  }

  /**
   * Frees the store, and makes everything durable by that. Another owner who has it by now is left
   * alone.
   *
   * @throws StoreFailedException the database cannot be reached, or has lost commits
   */
  void letGo() {
    try {
      Guard guard = link.callAtMost(2, connection -> keep(connection, true, -1));
      if (guard.epoch() == epoch && guard.n() < lastCommit) {
        throw lost(guard);
      }
      if (isAt(guard)) {
        link.nothingIsLost(epoch);
      }
    } catch (WriterLink.RefusedException e) {
      throw SqlErrors.failed(e.reason(), limits.shownLocation);
    } catch (WriterLink.GivenUpException e) {
      throw SqlErrors.failed(e.reason(), limits.shownLocation);
    }
  }

  private Guard keep(Connection connection, boolean isDurable, long ownedMs) throws SQLException {
    try (PreparedStatement call = Statements.prepare(connection, sql.keep())) {
      call.setLong(1, epoch);
      call.setBoolean(2, isDurable);
      call.setLong(3, ownedMs);
      return link.guard(call);
    }
  }

  /**
   * Reads on the writer's connection.
   *
   * @throws StoreFencedException another owner has the store: what was read is none of ours
   */
  @Override
  public <T> T read(RowReads.Read<T> read) {
    long expected = lastCommit;
    try {
      return link.call(
          connection ->
              read.on(
                  connection,
                  (atEpoch, atN) -> requireAt(new Guard(atEpoch, atN, 0, 0), expected)));
    } catch (WriterLink.RefusedException e) {
      throw SqlErrors.unreadable(e.reason(), limits.shownLocation);
    } catch (WriterLink.GivenUpException e) {
      throw SqlErrors.unavailable(e.reason(), limits.shownLocation);
    }
  }

  /** Tells whether the guard is where this owner left it. */
  boolean isAt(Guard guard) {
    return guard.epoch() == epoch && guard.n() == lastCommit;
  }

  /** Checks that the guard is where this owner left it. */
  private void requireAt(Guard guard, long n) {
    if (guard.epoch() > epoch) {
      throw ended(
          new StoreFencedException(
              "another owner has taken the store over; nothing happened: location="
                  + limits.shownLocation
                  + ", own epoch="
                  + epoch
                  + ", epoch="
                  + guard.epoch()));
    }
    if (guard.epoch() < epoch || guard.n() != n) {
      throw ended(lost(guard));
    }
  }

  private StoreFailedException lost(Guard guard) {
    return new StoreFailedException(
        "database has lost commits, or was changed by somebody else, open the store again:"
            + " location="
            + limits.shownLocation
            + ", epoch="
            + guard.epoch()
            + ", own epoch="
            + epoch
            + ", n="
            + guard.n()
            + ", lastCommit="
            + lastCommit
            + ", syncedCommit="
            + syncedCommit);
  }

  private StoreException ended(StoreException thrown) {
    failure = thrown;
    return thrown;
  }

  void interrupt() {
    link.interrupt();
  }

  void close() {
    link.close();
  }
}
