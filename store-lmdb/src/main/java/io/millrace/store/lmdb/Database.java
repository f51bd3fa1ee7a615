package io.millrace.store.lmdb;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.Watermark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.EnvInfo;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Stat;
import org.lmdbjava.Txn;

/**
 * The open LMDB environment and what it holds. On disk, never change.
 *
 * <pre>
 *  main database   "commit" => epoch, 8 bytes big-endian; commit, 8 bytes big-endian
 *                  "rows"   => the database of the store's rows, key => value
 * </pre>
 *
 * The commit record lies beside the rows, not among them, so that no view shows it; and in the main
 * database, whose one page every commit rewrites anyway.
 *
 * <p>Opened without thread-local readers, so that a view may change threads, and without the second
 * flush of each commit, for the meta page: power loss may undo the newest commit, never more, and
 * never damages.
 *
 * <p>Thread-safe but for {@link #close}, which must find nobody inside.
 */
final class Database implements AutoCloseable {

  static final byte[] ROWS = "rows".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COMMIT = "commit".getBytes(StandardCharsets.US_ASCII);
  private static final int COMMIT_RECORD_BYTES = 2 * Long.BYTES;
  private static final int FILE_MODE = 0600;
  private static final int DATABASE_COUNT_MAX = 1;

  /**
   * The reader slots beyond those of the views, for a person who looks in with LMDB's own tools.
   */
  private static final int READERS_TO_SPARE = 14;

  private final Path folder;
  private final Env<NativeBytes> env;
  private final Dbi<NativeBytes> main;
  private final Dbi<NativeBytes> rows;
  private final long pageBytes;

  private Database(
      Path folder, Env<NativeBytes> env, Dbi<NativeBytes> main, Dbi<NativeBytes> rows) {
    this.folder = folder;
    this.env = env;
    this.main = main;
    this.rows = rows;
    this.pageBytes = env.stat().pageSize;
  }

  /**
   * Opens the environment, creating it for {@link Access#READ_WRITE}; nobody else may have it open.
   */
  static Database open(Path folder, long mapBytes, Access access) {
    return access == Access.READ_ONLY
        ? open(folder, mapBytes, access, EnvFlags.MDB_NOTLS, EnvFlags.MDB_RDONLY_ENV)
        : open(folder, mapBytes, access, EnvFlags.MDB_NOTLS, EnvFlags.MDB_NOMETASYNC);
  }

  /**
   * Creates an environment for one thread, which is a store to nobody yet: it has no lock file,
   * whose map a full disk would turn into the end of the process.
   */
  static Database openCopy(Path folder, long mapBytes) {
    return open(
        folder,
        mapBytes,
        Access.READ_WRITE,
        EnvFlags.MDB_NOTLS,
        EnvFlags.MDB_NOMETASYNC,
        EnvFlags.MDB_NOLOCK);
  }

  private static Database open(Path folder, long mapBytes, Access access, EnvFlags... flags) {
    boolean isReadOnly = access == Access.READ_ONLY;
    Env<NativeBytes> env = null;
    try {
      env =
          Env.create(new NativeBytesProxy())
              .setMapSize(mapBytes)
              .setMaxDbs(DATABASE_COUNT_MAX)
              .setMaxReaders(LmdbLimits.VIEW_COUNT_MAX + READERS_TO_SPARE)
              .open(folder.toFile(), FILE_MODE, flags);
      Dbi<NativeBytes> main = env.openDbi((byte[]) null);
      Dbi<NativeBytes> rows =
          isReadOnly ? env.openDbi(ROWS) : env.openDbi(ROWS, DbiFlags.MDB_CREATE);
      Database database = new Database(folder, env, main, rows);
      env.readerCheck();
      return database;
    } catch (RuntimeException e) {
      close(env);
      throw LmdbErrors.translate("store cannot be opened", folder, e);
    } catch (Error e) {
      // Memory may have run out; an environment must not be opened twice in a process.
      close(env);
      throw e;
    }
  }

  private static void close(@Nullable Env<NativeBytes> env) {
    if (env != null) {
      env.close();
    }
  }

  Path folder() {
    return folder;
  }

  Dbi<NativeBytes> rows() {
    return rows;
  }

  Txn<NativeBytes> beginRead() {
    return env.txnRead();
  }

  /** Begins the one write transaction; it belongs to the calling thread to its end. */
  Txn<NativeBytes> beginWrite() {
    return env.txnWrite();
  }

  Cursor<NativeBytes> openCursor(Txn<NativeBytes> txn) {
    return rows.openCursor(txn);
  }

  /**
   * Returns the newest commit that the transaction sees; {@link Watermark#NONE} if there never was
   * one.
   */
  Watermark held(Txn<NativeBytes> txn) {
    NativeBytes key = NativeBytes.allocate(COMMIT.length);
    byte[] value;
    try {
      NativeBytes found = main.get(txn, key.set(COMMIT));
      if (found == null) {
        return Watermark.NONE;
      }
      value = found.copy();
    } finally {
      key.free();
    }
    if (value.length != COMMIT_RECORD_BYTES) {
      throw new StoreCorruptException(
          "commit record is damaged: folder=" + folder + ", length=" + value.length);
    }
    ByteBuffer record = ByteBuffer.wrap(value);
    return new Watermark(record.getLong(), record.getLong());
  }

  /** Returns the newest commit in the database; {@link Watermark#NONE} if there never was one. */
  Watermark held() {
    try (Txn<NativeBytes> txn = beginRead()) {
      return held(txn);
    } catch (LmdbException e) {
      throw LmdbErrors.translate("commit record cannot be read", folder, e);
    }
  }

  /**
   * Puts the commit record as part of the transaction; {@code key} is memory to be used meanwhile.
   */
  void putHeld(Txn<NativeBytes> txn, NativeBytes key, long epoch, long commit) {
    byte[] value = ByteBuffer.allocate(COMMIT_RECORD_BYTES).putLong(epoch).putLong(commit).array();
    main.reserve(txn, key.set(COMMIT), value.length).set(value);
  }

  /**
   * Replaces the commit record by its successor, in one transaction, which is not synced. Returns
   * the successor.
   */
  Watermark commitHeld(UnaryOperator<Watermark> successor) {
    NativeBytes key = NativeBytes.allocate(COMMIT.length);
    try (Txn<NativeBytes> txn = beginWrite()) {
      Watermark held = successor.apply(held(txn));
      putHeld(txn, key, held.epoch(), held.commit());
      txn.commit();
      return held;
    } finally {
      key.free();
    }
  }

  /** Tells whether LMDB still takes write transactions. */
  boolean isWritable() {
    try (Txn<NativeBytes> txn = beginWrite()) {
      return !txn.isReadOnly();
    } catch (LmdbException e) {
      return false;
    }
  }

  void sync() {
    env.sync(true);
  }

  /** Frees the reader slots of processes that died with views open. */
  void freeDeadReaders() {
    env.readerCheck();
  }

  /** Counts the pages of rows that the newest transaction sees. */
  long rowPages() {
    try (Txn<NativeBytes> txn = beginRead()) {
      return pages(rows.stat(txn));
    } catch (LmdbException e) {
      throw LmdbErrors.translate("rows cannot be counted", folder, e);
    }
  }

  static long pages(Stat stat) {
    return stat.branchPages + stat.leafPages + stat.overflowPages;
  }

  long pageBytes() {
    return pageBytes;
  }

  /** Returns the length of the file up to the last page that was ever used, in bytes. */
  long usedBytes() {
    EnvInfo info = env.info();
    return (info.lastPageNumber + 1) * pageBytes;
  }

  @Override
  public void close() {
    env.close();
  }
}
