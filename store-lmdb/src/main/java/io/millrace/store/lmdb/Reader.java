package io.millrace.store.lmdb;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.LmdbException;
import org.lmdbjava.SeekOp;
import org.lmdbjava.Txn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A read transaction, its cursor and memory for a key, used again and again. Between uses it is
 * reset, holds its reader slot, and pins nothing. For one thread at a time, inside the gate.
 */
final class Reader {

  private static final Logger LOG = LoggerFactory.getLogger(Reader.class);

  private final Database database;
  private final Txn<NativeBytes> txn;
  private final Cursor<NativeBytes> cursor;
  private final NativeBytes key;
  private boolean isReset;

  /** Creates a reader that sees the newest commit. */
  Reader(Database database) {
    this.database = database;
    this.txn = database.beginRead();
    this.cursor = database.openCursor(txn);
    this.key = NativeBytes.allocate(LmdbLimits.KEY_BYTES_MAX);
  }

  Txn<NativeBytes> txn() {
    return txn;
  }

  Cursor<NativeBytes> cursor() {
    return cursor;
  }

  void renew() {
    txn.renew();
    isReset = false;
    cursor.renew(txn);
  }

  void reset() {
    txn.reset();
    isReset = true;
  }

  /** Returns the key's value in LMDB's memory, or null. */
  @Nullable NativeBytes get(byte[] wanted) {
    return database.rows().get(txn, key.set(wanted));
  }

  /**
   * Moves a cursor to the first key that is not below {@code start}. Returns false if there is
   * none.
   */
  boolean seek(Cursor<NativeBytes> moved, byte[] start) {
    if (start.length == 0) {
      return moved.seek(SeekOp.MDB_FIRST);
    }
    if (start.length <= LmdbLimits.KEY_BYTES_MAX) {
      return moved.get(key.set(start), GetOp.MDB_SET_RANGE);
    }
    // No key is that long: those from the start on are those above its longest possible prefix.
    byte[] prefix = Arrays.copyOf(start, LmdbLimits.KEY_BYTES_MAX);
    boolean isFound = moved.get(key.set(prefix), GetOp.MDB_SET_RANGE);
    if (isFound && Arrays.equals(moved.key().copy(), prefix)) {
      return moved.seek(SeekOp.MDB_NEXT);
    }
    return isFound;
  }

  /** Frees everything, in whatever state; the environment must still be open. */
  void free() {
    if (isReset) {
      renewToFree();
    }
    cursor.close();
    txn.close();
    key.free();
  }

  /** Renews the transaction: one that is reset would only be forgotten, not freed. */
  private void renewToFree() {
    try {
      txn.renew();
    } catch (LmdbException e) {
      // After a fatal error LMDB begins nothing any more: its few bytes are lost, the rest is not.
      LOG.debug("reader of a failed store cannot be freed: folder={}", database.folder(), e);
    }
  }
}
