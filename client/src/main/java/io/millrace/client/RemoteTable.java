package io.millrace.client;

import io.millrace.api.CodecException;
import io.millrace.api.Durability;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.calls.CallLimits;
import io.millrace.calls.TableCodecs;
import io.millrace.protocol.TableCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A user's table of a server as its users see it. Keys and values become bytes on the caller's
 * thread, before anything is sent.
 */
final class RemoteTable<K, V> implements Table<K, V> {

  private final Caller caller;
  private final TableCodecs<K, V> codecs;

  RemoteTable(Caller caller, TableCodecs<K, V> codecs) {
    this.caller = caller;
    this.codecs = codecs;
  }

  /** Tells whether the table is of the caller's server. */
  boolean isOf(Caller other) {
    return caller.isOfSameServer(other);
  }

  TableCodecs<K, V> codecs() {
    return codecs;
  }

  @Override
  public String name() {
    return codecs.table();
  }

  @Override
  public Table<K, V> with(Durability durability) {
    return new RemoteTable<>(caller.with(durability), codecs);
  }

  @Override
  public Optional<V> get(K key) {
    return getAll(List.of(Objects.requireNonNull(key, "key"))).get(0);
  }

  @Override
  public List<Optional<V>> getAll(List<K> wanted) {
    CallLimits.keyCount(wanted);
    List<byte[]> keys = wanted.stream().map(codecs::key).toList();
    List<TableCalls.GetRows.Found> found = caller.look(new TableCalls.GetRows(name(), keys)).rows();
    List<Optional<V>> values = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      byte[] key = keys.get(i);
      values.add(found.get(i).value().map(bytes -> codecs.decoded(key, bytes)));
    }
    return values;
  }

  /** Ends the page before a row that a codec does not read: asks again for the rows before it. */
  @Override
  public Page<TableRow<K, V>> scan(TableRange<K> range, PageRequest page) {
    TableRange<byte[]> within = codecs.range(range);
    Objects.requireNonNull(page, "page");
    int size = page.size();
    while (true) {
      Page<TableRow<byte[], byte[]>> rows =
          caller
              .look(new TableCalls.ScanRows(name(), within, new PageRequest(size, page.cursor())))
              .rows();
      List<TableRow<K, V>> decoded = new ArrayList<>(rows.items().size());
      @Nullable CodecException unread = decode(rows.items(), decoded);
      if (unread == null) {
        return new Page<>(decoded, rows.next());
      }
      if (decoded.isEmpty() && size == 1) {
        throw new CodecException(
            unread.getMessage()
                + rows.next().map(next -> ", go on behind it with cursor=" + next).orElse(""),
            unread);
      }
      size = Math.max(1, decoded.size());
    }
  }

  /** Decodes rows until a codec does not read one. Returns why; null if all were decoded. */
  private @Nullable CodecException decode(
      List<TableRow<byte[], byte[]>> rows, List<TableRow<K, V>> decoded) {
    try {
      for (TableRow<byte[], byte[]> row : rows) {
        decoded.add(codecs.decoded(row));
      }
      return null;
    } catch (CodecException e) {
      return e;
    }
  }

  @Override
  public long count(TableRange<K> range) {
    return caller.look(new TableCalls.CountRows(name(), codecs.range(range))).count();
  }

  @Override
  public void put(K key, V value) {
    Caller.await(putAsync(key, value));
  }

  @Override
  public CompletableFuture<Void> putAsync(K key, V value) {
    return puttingAll(List.of(new TableRow<>(codecs.key(key), codecs.value(value))));
  }

  @Override
  public void putAll(List<TableRow<K, V>> rows) {
    Caller.await(putAllAsync(rows));
  }

  @Override
  public CompletableFuture<Void> putAllAsync(List<TableRow<K, V>> rows) {
    return puttingAll(codecs.rows(rows));
  }

  @SuppressWarnings("NullAway") // Null is all that there is of Void.
  private CompletableFuture<Void> puttingAll(List<TableRow<byte[], byte[]>> rows) {
    return rows.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : caller.later(new TableCalls.PutRows(name(), rows, caller.durability()), answer -> null);
  }

  @Override
  public boolean delete(K key) {
    return Caller.await(deleteAsync(key));
  }

  @Override
  public CompletableFuture<Boolean> deleteAsync(K key) {
    return caller.later(deleting(List.of(codecs.key(key))), answer -> answer.found().get(0));
  }

  @Override
  public List<Boolean> deleteAll(List<K> wanted) {
    return Caller.await(deleteAllAsync(wanted));
  }

  @Override
  public CompletableFuture<List<Boolean>> deleteAllAsync(List<K> wanted) {
    List<byte[]> keys = codecs.rowKeys(wanted);
    return keys.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : caller.later(deleting(keys), TableCalls.DeleteRows.Answer::found);
  }

  private TableCalls.DeleteRows deleting(List<byte[]> keys) {
    return new TableCalls.DeleteRows(name(), keys, caller.durability());
  }

  @Override
  public RowResult<V> putIfAbsent(K key, V value) {
    return Caller.await(putIfAbsentAsync(key, value));
  }

  @Override
  public CompletableFuture<RowResult<V>> putIfAbsentAsync(K key, V value) {
    return caller.later(
        new TableCalls.PutRowIfAbsent(
            name(), codecs.key(key), codecs.value(value), caller.durability()),
        answer -> result(answer.result()));
  }

  @Override
  public RowResult<V> replace(K key, V expected, V value) {
    return Caller.await(replaceAsync(key, expected, value));
  }

  @Override
  public CompletableFuture<RowResult<V>> replaceAsync(K key, V expected, V value) {
    return caller.later(
        new TableCalls.ReplaceRow(
            name(),
            codecs.key(key),
            codecs.value("expected", expected),
            codecs.value(value),
            caller.durability()),
        answer -> result(answer.result()));
  }

  @Override
  public RowResult<V> deleteIf(K key, V expected) {
    return Caller.await(deleteIfAsync(key, expected));
  }

  @Override
  public CompletableFuture<RowResult<V>> deleteIfAsync(K key, V expected) {
    return caller.later(
        new TableCalls.DeleteRowIf(
            name(), codecs.key(key), codecs.value("expected", expected), caller.durability()),
        answer -> result(answer.result()));
  }

  private RowResult<V> result(RowResult<byte[]> told) {
    return told instanceof RowResult.Other<byte[]> other
        ? codecs.other(other.found())
        : new RowResult.Done<>();
  }

  @Override
  public boolean drop() {
    return caller.ask(new TableCalls.DropTable(name(), caller.durability())).found();
  }

  @Override
  public String toString() {
    return "Table[" + name() + "]";
  }
}
