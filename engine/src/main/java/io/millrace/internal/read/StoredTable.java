package io.millrace.internal.read;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.CorruptDataException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.TableRange;
import io.millrace.api.TableReader;
import io.millrace.api.TableRow;
import io.millrace.calls.CallLimits;
import io.millrace.calls.DecodedRow;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableRecord;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.tables.ReservedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A user's table as it is stored. Each answer looks into the catalog and at the rows in one view;
 * values are decoded when the view is closed, for codecs are the user's. Any thread.
 */
final class StoredTable<K, V> implements TableReader<K, V> {

  private final String name;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final Views views;

  /** The source of answers from views of the store. */
  @FunctionalInterface
  interface Views {
    /** Returns an answer from one short view. */
    <T> T answer(Function<ViewRows, T> question);
  }

  StoredTable(String name, Codec<K> keys, Codec<V> values, Views views) {
    this.name = ReservedTables.userName(name);
    this.keys = Objects.requireNonNull(keys, "keys");
    this.values = Objects.requireNonNull(values, "values");
    this.views = views;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<V> get(K key) {
    return getAll(List.of(Objects.requireNonNull(key, "key"))).get(0);
  }

  @Override
  public List<Optional<V>> getAll(List<K> wanted) {
    CallLimits.keyCount(wanted);
    List<byte[]> userKeys = new ArrayList<>(wanted.size());
    for (K key : wanted) {
      userKeys.add(TableBounds.bytes(keys, key));
    }
    List<Optional<byte[]>> found = views.answer(rows -> values(rows, userKeys));
    List<Optional<V>> decoded = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      byte[] key = userKeys.get(i);
      decoded.add(
          found.get(i).map(bytes -> DecodedRow.decoded(name, key, () -> values.decode(bytes))));
    }
    return decoded;
  }

  @Override
  public Page<TableRow<K, V>> scan(TableRange<K> range, PageRequest page) {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(page, "page");
    TableBounds bounds = TableBounds.of(name, range, keys).from(page.cursor());
    RawPage raw = views.answer(rows -> page(rows, bounds, page.size()));
    List<TableRow<K, V>> decoded = new ArrayList<>(raw.rows.size());
    for (Row row : raw.rows) {
      try {
        decoded.add(DecodedRow.of(name, row.key(), row.value(), keys, values));
      } catch (CodecException e) {
        if (decoded.isEmpty()) {
          throw new CodecException(
              e.getMessage() + ", go on behind it with cursor=" + bounds.cursorAfter(row.key()), e);
        }
        return new Page<>(decoded, Optional.of(bounds.cursorAt(row.key())));
      }
    }
    return new Page<>(decoded, Optional.ofNullable(raw.next));
  }

  @Override
  public long count(TableRange<K> range) {
    Objects.requireNonNull(range, "range");
    TableBounds rest = TableBounds.of(name, range, keys);
    long count = 0;
    while (true) {
      TableBounds part = rest;
      List<byte[]> found = views.answer(rows -> userKeys(rows, part));
      if (found.isEmpty()) {
        return count;
      }
      count += found.size();
      rest = rest.after(found.get(found.size() - 1));
    }
  }

  /**
   * A page of rows with the user's own keys and values.
   *
   * @param next where the next page begins; null at the end
   */
  private record RawPage(List<Row> rows, @Nullable String next) {}

  private static @Nullable Long incarnation(ViewRows rows, String table) {
    return rows.get(TableCatalog.key(table), TableCatalog::decode);
  }

  private List<Optional<byte[]>> values(ViewRows rows, List<byte[]> userKeys) {
    Long incarnation = incarnation(rows, name);
    List<byte[]> rowKeys = new ArrayList<>(userKeys.size());
    List<Optional<byte[]>> found = new ArrayList<>(userKeys.size());
    for (byte[] userKey : userKeys) {
      if (incarnation == null) {
        found.add(Optional.empty());
      } else {
        rowKeys.add(TableRowKeys.key(name, incarnation, userKey));
      }
    }
    List<byte @Nullable []> stored = rows.getAll(rowKeys);
    for (int i = 0; i < rowKeys.size(); i++) {
      byte[] value = stored.get(i);
      found.add(
          value == null
              ? Optional.empty()
              : Optional.of(rows.decode(rowKeys.get(i), value, TableRecord::decode).bytes()));
    }
    return found;
  }

  private RawPage page(ViewRows rows, TableBounds bounds, int size) {
    Long incarnation = incarnation(rows, name);
    if (incarnation == null) {
      return new RawPage(List.of(), null);
    }
    List<Row> chunk = rows.chunk(bounds.rows(incarnation), size + 1);
    List<Row> found = new ArrayList<>(chunk.size());
    long bytes = 0;
    for (Row row : chunk) {
      byte[] userKey = TableRowKeys.userKey(name, row.key());
      if (found.size() == size) {
        return new RawPage(found, bounds.cursorAt(userKey));
      }
      try {
        byte[] value = rows.decode(row.key(), row.value(), TableRecord::decode).bytes();
        found.add(new Row(userKey, value));
        bytes += row.value().length;
      } catch (CorruptDataException e) {
        if (found.isEmpty()) {
          throw new CorruptDataException(
              e.getMessage() + ", go on behind it with cursor=" + bounds.cursorAfter(userKey), e);
        }
        return new RawPage(found, bounds.cursorAt(userKey));
      }
    }
    // The chunk may have ended for the length of its rows.
    boolean isCut = bytes >= Row.CHUNK_BYTES_MAX;
    return new RawPage(found, isCut ? bounds.cursorAfter(found.get(found.size() - 1).key()) : null);
  }

  /** Returns the first keys of the range; none only if the range is empty. */
  private List<byte[]> userKeys(ViewRows rows, TableBounds bounds) {
    Long incarnation = incarnation(rows, name);
    List<byte[]> found = new ArrayList<>();
    if (incarnation != null) {
      for (Row row : rows.chunk(bounds.rows(incarnation), Row.CHUNK_ROWS_MAX)) {
        found.add(TableRowKeys.userKey(name, row.key()));
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return "Table[" + name + "]";
  }
}
