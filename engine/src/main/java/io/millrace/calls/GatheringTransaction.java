package io.millrace.calls;

import io.millrace.api.AfterCommit;
import io.millrace.api.Codec;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.Transaction;
import io.millrace.options.Checks;
import io.millrace.tables.RowMerge;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call of a transaction's function, which gathers the operations that the function asks for until
 * it returns, and its work on tables. Belongs to one thread; only the answers may be looked at by
 * any.
 */
public abstract class GatheringTransaction implements Transaction {

  private static final Set<Codec<?>> NUMBERS = Set.of(Codec.LONG);
  private static final Set<Codec<?>> STRINGS = Set.of(Codec.TEXT, Codec.BYTES);

  private final TransactionRows rows;
  private final Thread owner = Thread.currentThread();
  private long contentBytes;

  /** The operations beyond one for each that was gathered. */
  private int furtherCount;

  private boolean isOver;
  private volatile @Nullable List<Object> answers;

  protected GatheringTransaction(TransactionRows rows) {
    this.rows = rows;
  }

  /** Returns the codecs of a table, which must be of the same queues. */
  protected abstract <K, V> TableCodecs<K, V> codecs(Table<K, V> table);

  /** Returns how many operations were gathered. */
  protected abstract int size();

  /** Gathers an operation that puts a row. */
  protected abstract void putRow(String table, byte[] key, byte[] value);

  /** Gathers an operation that deletes a row. */
  protected abstract void deleteRow(String table, byte[] key);

  /** Gathers an operation that changes a row by what it holds. */
  protected abstract void mergeRow(String table, byte[] key, RowMerge merge);

  /** Returns the row as it is after an operation that changed it by what it held. */
  protected abstract byte[] mergedRow(Object answer);

  /** Tells of the answer to a deletion whether the row was there. */
  protected abstract boolean isRowDeleted(Object answer);

  /** Ends the call, since the function has returned or thrown: nothing more is gathered. */
  public final void end() {
    isOver = true;
  }

  /** Returns the rows of users' tables as the function saw them. */
  public final TransactionRows rows() {
    return rows;
  }

  /** Keeps the answers of the transaction, which has committed, one for each operation. */
  protected final void answered(List<Object> results) {
    answers = results;
  }

  @Override
  public final <K, V> Optional<V> get(Table<K, V> table, K key) {
    begin();
    TableCodecs<K, V> codecs = codecs(table);
    byte[] rowKey = codecs.key(key);
    Optional<byte[]> found = rows.get(codecs.table(), rowKey);
    return found.map(bytes -> codecs.decoded(rowKey, bytes.clone()));
  }

  @Override
  public final <K, V> List<Optional<V>> getAll(Table<K, V> table, List<K> keys) {
    begin();
    Objects.requireNonNull(keys, "keys");
    Checks.inRange("number of keys", keys.size(), 0, Limits.CALL_ROW_COUNT_MAX);
    TableCodecs<K, V> codecs = codecs(table);
    List<byte[]> rowKeys = keys.stream().map(codecs::key).toList();
    List<Optional<byte[]>> found = rows.getAll(codecs.table(), rowKeys);
    long length = found.stream().mapToLong(row -> row.map(value -> value.length).orElse(0)).sum();
    Checks.inRange("length of all rows asked for in bytes", length, 0, Limits.CALL_BYTES_MAX);
    List<Optional<V>> values = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      byte[] rowKey = rowKeys.get(i);
      values.add(found.get(i).map(bytes -> codecs.decoded(rowKey, bytes.clone())));
    }
    return values;
  }

  @Override
  public final <K, V> void put(Table<K, V> table, K key, V value) {
    begin();
    TableCodecs<K, V> codecs = codecs(table);
    byte[] bytes = codecs.value(value);
    put(codecs.table(), codecs.key(key), bytes);
  }

  @Override
  public final <K, V> AfterCommit<Boolean> delete(Table<K, V> table, K key) {
    begin();
    TableCodecs<K, V> codecs = codecs(table);
    byte[] rowKey = codecs.key(key);
    count(rowKey.length);
    rows.write(codecs.table(), rowKey, Optional.empty());
    deleteRow(codecs.table(), rowKey);
    int place = size() - 1;
    return () -> isRowDeleted(answer(place));
  }

  @Override
  public final <K> AfterCommit<Long> add(Table<K, Long> table, K key, long delta) {
    return merge(table, key, codecs -> RowMerge.add(delta), NUMBERS);
  }

  @Override
  public final <K> AfterCommit<Long> max(Table<K, Long> table, K key, long value) {
    return merge(table, key, codecs -> RowMerge.max(value), NUMBERS);
  }

  @Override
  public final <K, V> AfterCommit<V> append(Table<K, V> table, K key, V value) {
    return merge(table, key, codecs -> RowMerge.append(codecs.value(value)), STRINGS);
  }

  private <K, V> AfterCommit<V> merge(
      Table<K, V> table, K key, Function<TableCodecs<K, V>, RowMerge> with, Set<Codec<?>> fit) {
    begin();
    TableCodecs<K, V> codecs = codecs(table);
    if (!fit.contains(codecs.values())) {
      throw new IllegalArgumentException(
          "values of the table are not of a codec whose bytes can be put together so: table="
              + table.name()
              + ", codec="
              + codecs.values()
              + ", possible="
              + fit
              + "; open the table with one of these, or use get and put");
    }
    byte[] rowKey = codecs.key(key);
    RowMerge merge = with.apply(codecs);
    Optional<byte[]> known = rows.merged(codecs.table(), rowKey, merge);
    if (known.isPresent()) {
      put(codecs.table(), rowKey, known.get());
    } else {
      count(rowKey.length + merge.with().length);
      rows.merge(codecs.table(), rowKey, merge);
      mergeRow(codecs.table(), rowKey, merge);
    }
    int place = size() - 1;
    return () -> {
      Object answer = answer(place);
      return codecs.decoded(rowKey, known.orElseGet(() -> mergedRow(answer)).clone());
    };
  }

  private void put(String table, byte[] key, byte[] value) {
    count(key.length + value.length);
    rows.write(table, key, Optional.of(value));
    putRow(table, key, value);
  }

  @Override
  public final <K, V> List<TableRow<K, V>> scan(Table<K, V> table, TableRange<K> range, int limit) {
    begin();
    TableCodecs<K, V> codecs = codecs(table);
    Checks.inRange("limit", limit, 1, Limits.PAGE_SIZE_MAX);
    List<TableRow<K, V>> found = new ArrayList<>();
    for (TableRow<byte[], byte[]> row : rows.scan(codecs.table(), codecs.range(range), limit)) {
      found.add(codecs.decoded(row));
    }
    return found;
  }

  @SuppressWarnings("unchecked") // Whoever adds a part says what it answers.
  protected final <T> T answer(int place) {
    List<Object> known = answers;
    if (known == null) {
      throw new IllegalStateException(
          "transaction has not committed: the result is known when transact has answered that it"
              + " has, and of the last call of its function only");
    }
    return (T) known.get(place);
  }

  /** Refuses a call that comes too late, or of another thread. */
  protected final void begin() {
    if (isOver || Thread.currentThread() != owner) {
      throw new IllegalStateException(
          "transaction is over, or of another thread: it is for its function alone, for as long as"
              + " that runs, and on the thread that called transact");
    }
  }

  /** Counts one more operation, with so many bytes of the caller's, and checks both limits. */
  protected final void count(int bytes) {
    count(1, bytes);
  }

  /** Counts operations that are gathered as one; see {@link #count(int)}. */
  protected final void count(int operations, int bytes) {
    Checks.inRange(
        "number of operations in the transaction",
        size() + furtherCount + operations,
        1,
        Limits.TRANSACTION_OPERATION_COUNT_MAX);
    Checks.inRange(
        "length of all payloads, headers, results, states and rows in the transaction in bytes",
        contentBytes + bytes,
        0,
        Limits.CALL_BYTES_MAX);
    contentBytes += bytes;
    furtherCount += operations - 1;
  }

  /**
   * Returns the failure to tell the function an id: nothing of its transaction has happened.
   *
   * @param of what the id was asked for
   */
  public static EngineOverloadedException withoutId(Object of, OutcomeUnknownException why) {
    return new EngineOverloadedException(
        "no id was told for a job or a batch of a transaction; nothing of it happened: " + of, why);
  }

  /** Returns how many bytes of the caller's were counted. */
  protected final long contentBytes() {
    return contentBytes;
  }

  /** Goes back to so many bytes, after operations were taken out. */
  protected final void contentBytes(long value) {
    contentBytes = value;
  }
}
