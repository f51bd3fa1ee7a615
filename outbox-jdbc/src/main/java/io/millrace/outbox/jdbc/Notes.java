package io.millrace.outbox.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.Durability;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.Transaction;
import io.millrace.tables.ReservedTables;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The notes in the engine of which rows of an outbox have been relayed. A job and the note of its
 * row are enqueued and put in one commit, so that a row with a note is never enqueued again.
 *
 * <p>A note may go when its row is gone. But somebody may have read the row before, and have been
 * held up since; he would find no note and enqueue it again. So each removal of notes counts up a
 * number. Who relays looks at the number before he reads rows, and again in the transaction that
 * enqueues them: if it is another, he reads the rows anew.
 *
 * <p>Keys and values of the table. On disk, never change.
 *
 * <pre>
 *  key 'e'                              16 bytes: an id of the store, made once
 *  key 'g', name in UTF-8               8 bytes: how often notes of this outbox were removed
 *  key 'n', 1 byte length of the name, name in UTF-8, 16 bytes id of the row
 *                                       8 bytes: when it was relayed, epoch ms
 *                                       16 bytes: id of the job
 * </pre>
 */
final class Notes {

  static final int NOTE_BYTES = Long.BYTES + 2 * Long.BYTES;
  private static final int ID_BYTES = 2 * Long.BYTES;
  private static final byte[] ENGINE_KEY = {'e'};

  private final JobQueues queues;
  private final Table<byte[], byte[]> table;
  private final byte[] generationKey;
  private final byte[] prefix;

  /**
   * A note.
   *
   * @param row the id of the row
   * @param relayedMs when it was relayed, in epoch milliseconds
   * @param job the job that it became
   */
  record Note(UUID row, long relayedMs, JobId job) {}

  Notes(JobQueues queues, String name) {
    this.queues = queues;
    table = queues.table(ReservedTables.OUTBOX, Codec.BYTES, Codec.BYTES);
    byte[] bytes = name.getBytes(UTF_8);
    generationKey = ByteBuffer.allocate(1 + bytes.length).put((byte) 'g').put(bytes).array();
    prefix =
        ByteBuffer.allocate(2 + bytes.length)
            .put((byte) 'n')
            .put((byte) bytes.length)
            .put(bytes)
            .array();
  }

  /** Returns the id of the store, which it is given by the first call. */
  static UUID engineId(JobQueues queues, Supplier<UUID> made) {
    Table<byte[], byte[]> table = queues.table(ReservedTables.OUTBOX, Codec.BYTES, Codec.BYTES);
    Optional<byte[]> there = table.get(ENGINE_KEY);
    if (there.isPresent()) {
      return id(ByteBuffer.wrap(there.get()));
    }
    UUID mine = made.get();
    byte[] value = put(ByteBuffer.allocate(ID_BYTES), mine).array();
    // As durable as can be: the database will know the store by it.
    return table.with(Durability.SYNCED).putIfAbsent(ENGINE_KEY, value).isDone()
        ? mine
        : id(ByteBuffer.wrap(table.get(ENGINE_KEY).orElseThrow()));
  }

  /** Returns how often notes were removed. */
  long generation() {
    return number(table.get(generationKey));
  }

  /** Returns how often notes were removed, as of the commit of the transaction. */
  long generation(Transaction transaction) {
    return number(transaction.get(table, generationKey));
  }

  /** Tells, as of the commit of the transaction, whether the row was relayed. */
  boolean has(Transaction transaction, UUID row) {
    return transaction.get(table, key(row)).isPresent();
  }

  /** Notes that the row is the job. */
  void put(Transaction transaction, Note note) {
    ByteBuffer value = ByteBuffer.allocate(NOTE_BYTES).putLong(note.relayedMs());
    value.putLong(note.job().high()).putLong(note.job().low());
    transaction.put(table, key(note.row()), value.array());
  }

  /** Returns the note of a row. */
  Optional<Note> find(UUID row) {
    return table.get(key(row)).map(value -> note(row, value));
  }

  /** Returns a page of the notes, in the order of the ids of the rows. */
  Page<TableRow<byte[], byte[]>> scan(PageRequest page) {
    return table.scan(TableRange.prefix(prefix), page);
  }

  /** Returns the note that a row of the table is. */
  Note note(TableRow<byte[], byte[]> row) {
    ByteBuffer key = ByteBuffer.wrap(row.key());
    return note(id(key.position(prefix.length)), row.value());
  }

  /** Removes notes whose rows are gone. */
  void remove(List<UUID> rows) {
    queues
        // A note that comes back after a loss of power is removed again.
        .with(Durability.BUFFERED)
        .inTransaction(
            transaction -> {
              long generation = generation(transaction) + 1;
              byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(generation).array();
              transaction.put(table, generationKey, value);
              rows.forEach(row -> transaction.delete(table, key(row)));
            })
        .orThrow();
  }

  private byte[] key(UUID row) {
    return put(ByteBuffer.allocate(prefix.length + ID_BYTES).put(prefix), row).array();
  }

  private static ByteBuffer put(ByteBuffer to, UUID id) {
    return to.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID id(ByteBuffer from) {
    return new UUID(from.getLong(), from.getLong());
  }

  private static Note note(UUID row, byte[] value) {
    if (value.length < NOTE_BYTES) {
      throw new CodecException(
          "bytes are no note of an outbox: length=" + value.length + ", least=" + NOTE_BYTES);
    }
    ByteBuffer from = ByteBuffer.wrap(value);
    return new Note(row, from.getLong(), new JobId(from.getLong(), from.getLong()));
  }

  private static long number(Optional<byte[]> value) {
    return value.map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
  }
}
