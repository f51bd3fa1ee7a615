package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows that the requests of a group, or a step of other work, want to see: they are read together
 * before any of them is looked at.
 *
 * <p>A row may name further ones: those make the next round. So the number of round trips depends
 * on how far rows point to rows, never on how many there are. Wanting a row is optional: one that
 * was not wanted is read when it is asked for.
 *
 * <p>Rows that may be long are read together only as far as memory allows: so many at a time as
 * those before let expect room for, until there is none. The others are read when they are asked
 * for, and not kept.
 */
public final class RowReads {

  /** The bytes of long rows that were read ahead at which no more are. */
  private static final int LONG_BYTES_MAX = 4 << 20;

  /** The most long rows that are read at a time. */
  private static final int LONG_COUNT_MAX = 64;

  /** The number of long rows that are read at a time while the length of none is known. */
  private static final int LONG_COUNT_FIRST = 16;

  private final Supplier<ReadView> view;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  private final Deque<Row> longRows = new ArrayDeque<>(0);
  private int longCount;
  private long longBytes;

  /** Rows that are found by their keys; made when there is one, for most groups have none. */
  private Map<byte[], Row> ahead = Map.of();

  /** Creates reads of which nothing is wanted yet. */
  public RowReads(Supplier<ReadView> view) {
    this.view = view;
  }

  /** A follow-up to the read of a row that may name others. */
  @FunctionalInterface
  public interface Next {

    /**
     * Wants the rows that the row names.
     *
     * @param value the row's value as it was before the group; null if there is none
     * @throws CorruptDataException the row is damaged, and names nothing: the transition that looks
     *     at it will see that
     */
    void want(byte @Nullable [] value);
  }

  /** A row as it was before the group. */
  public static final class Row {
    private final byte[] key;
    private final List<Next> nexts = new ArrayList<>(0);
    private final boolean isLong;
    private boolean isRead;
    private byte @Nullable [] value;
    private @Nullable StoreException failure;

    private Row(byte[] key, @Nullable Next next, boolean isLong) {
      this.key = key;
      this.isLong = isLong;
      if (next != null) {
        nexts.add(next);
      }
    }

    byte[] key() {
      return key;
    }

    /**
     * Returns the row's value, or null.
     *
     * @throws StoreException the row could not be read
     */
    byte @Nullable [] value() {
      if (failure != null) {
        throw failure;
      }
      return value;
    }

    private void readFrom(Supplier<ReadView> view) {
      try {
        value = view.get().get(key);
      } catch (StoreException e) {
        failure = e;
      }
    }

    private void wantNext() {
      isRead = true;
      nexts.forEach(this::want);
    }

    /** Adds a follow-up: it runs now if the row has been read already. */
    private void wantAlso(Next also) {
      if (isRead) {
        want(also);
      } else {
        nexts.add(also);
      }
    }

    private void want(Next named) {
      if (failure != null) {
        return;
      }
      try {
        named.want(value);
      } catch (CorruptDataException e) {
        // Reported by whoever needs the row.
      }
    }
  }

  /** Wants a row; it is there when the transition is applied. */
  public Row want(byte[] key) {
    return want(key, null);
  }

  private Row want(byte[] key, @Nullable Next next) {
    return add(new Row(key, next, false));
  }

  private Row add(Row row) {
    keys.add(row.key);
    rows.add(row);
    return row;
  }

  /** Wants a row that will be asked for by its key, and may be long. */
  public void wantLong(byte[] key) {
    wantLong(key, null);
  }

  /** Wants a row that will be asked for by its key, may be long, and names further ones. */
  public void wantLong(byte[] key, @Nullable Next next) {
    Row known = ahead().get(key);
    if (known == null) {
      Row row = new Row(key, next, true);
      ahead.put(key, row);
      longRows.add(row);
    } else if (next != null) {
      known.wantAlso(next);
    }
  }

  private Map<byte[], Row> ahead() {
    if (ahead.isEmpty()) {
      ahead = new TreeMap<>(Arrays::compareUnsigned);
    }
    return ahead;
  }

  /** Wants a row that will be asked for by its key. */
  public void wantByKey(byte[] key) {
    wantByKey(key, null);
  }

  /** Wants a row that will be asked for by its key and names further ones. */
  public void wantByKey(byte[] key, @Nullable Next next) {
    Row known = ahead().get(key);
    if (known == null) {
      ahead.put(key, want(key, next));
    } else if (next != null) {
      known.wantAlso(next);
    }
  }

  /**
   * Reads all wanted rows in one round trip, the rows that these name in another, and so on; makes
   * no round trip if nothing is wanted. If a joint read fails, each of its rows is read by itself,
   * so that only those fail that want a row which cannot be read.
   */
  public void fetch() {
    addLong();
    for (int from = 0; from < rows.size(); ) {
      int to = rows.size();
      read(from, to);
      for (int i = from; i < to; i++) {
        Row row = rows.get(i);
        noteLong(row);
        row.wantNext();
      }
      from = to;
      addLong();
    }
    keys.clear();
    rows.clear();
    longRows.forEach(row -> ahead.remove(row.key));
    longRows.clear();
  }

  /** Adds as many long rows to the next round as there is room for. */
  private void addLong() {
    long room =
        longCount == 0
            ? LONG_COUNT_FIRST
            : (LONG_BYTES_MAX - longBytes) / (longBytes / longCount + 1);
    for (long i = Math.min(room, LONG_COUNT_MAX); i > 0 && !longRows.isEmpty(); i--) {
      add(longRows.remove());
    }
  }

  private void read(int from, int to) {
    try {
      List<byte @Nullable []> values = view.get().getAll(keys.subList(from, to));
      for (int i = from; i < to; i++) {
        rows.get(i).value = values.get(i - from);
      }
    } catch (StoreException e) {
      rows.subList(from, to).forEach(row -> row.readFrom(view));
    }
  }

  private void noteLong(Row row) {
    if (row.isLong) {
      longCount++;
      longBytes += row.value == null ? 0 : row.value.length;
    }
  }

  /** Forgets rows that were read by key: those who wanted them are done. */
  public void forget() {
    ahead = Map.of();
    longCount = 0;
    longBytes = 0;
  }

  /**
   * Returns the value of a row as it was before the group, or null; reads the row now if it was not
   * wanted.
   *
   * @throws StoreException the row could not be read
   */
  byte @Nullable [] get(byte[] key) {
    Row row = ahead.isEmpty() ? null : ahead.get(key);
    return row == null ? view.get().get(key) : row.value();
  }
}
