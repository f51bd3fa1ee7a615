package io.millrace.spi;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A set of puts and deletes that happen together or not at all. There is at most one operation for
 * each key: the last one given.
 *
 * <p>Not thread-safe. Keys and values are kept, not copied: the caller must not change them
 * afterwards. An operation is found by its key. Operations are listed in the order in which their
 * keys first came, or, those of a range, in key order through {@link #sorted}. As long as keys come
 * in ascending order, as those of a sum do, they are found by bisection. From the first key that
 * does not, they are found through an open-addressing hash table over the key bytes.
 *
 * <p>Keys are 1 to {@link StoreInfo#keyBytesMax()} bytes long, values 0 to {@link
 * StoreInfo#valueBytesMax()}: the store checks that when the batch is written.
 *
 * <p>A <em>sum</em> is one batch that stands for several in a row: it has the number of the last of
 * them and {@linkplain #follow follows} the one before the first.
 */
public final class WriteBatch {

  /** The index that {@link #find} returns for a key without an operation. */
  public static final int ABSENT = -1;

  private static final int CAPACITY_LEAST = 16;

  /** The most room that a restarted batch keeps, as a multiple of the operations that it had. */
  private static final int CAPACITY_SPARE = 8;

  /** Right to the space that a store keeps back for getting out of fullness. */
  public enum Reserve {
    /** The right of an ordinary batch: leaves the reserve alone. */
    KEEP,
    /** The right of a batch that frees more than it takes: may use the reserve. */
    USE
  }

  /** Durability that a batch is to have when its write returns. */
  public enum Wanted {
    /**
     * Durability of a batch whose callers do not wait for a sync: power loss may take it, and those
     * after it.
     */
    BUFFERED,
    /** Durability of a batch with a caller who waits until it is synced. */
    SYNCED
  }

  private long number;
  private long previous;
  private Reserve reserve;
  private Wanted wanted = Wanted.SYNCED;
  private byte[][] keys;
  private byte[] @Nullable [] values;
  private boolean[] news;
  private int[] hashes;
  private int[] table;

  /** True while keys have come in ascending order and are not in the table. */
  private boolean isAscending = true;

  private int size;
  private long bytes;

  /** Creates an empty batch with the given number, which leaves the reserve alone. */
  public WriteBatch(long number) {
    this(number, Reserve.KEEP);
  }

  /** Creates an empty batch with the given number. */
  public WriteBatch(long number, Reserve reserve) {
    this.number = number;
    this.previous = number - 1;
    this.reserve = Objects.requireNonNull(reserve, "reserve");
    this.keys = new byte[CAPACITY_LEAST][];
    this.values = new byte[CAPACITY_LEAST][];
    this.news = new boolean[CAPACITY_LEAST];
    this.hashes = new int[CAPACITY_LEAST];
    this.table = new int[2 * CAPACITY_LEAST];
  }

  /**
   * Empties this batch and gives it another number, for writers of many batches. The room that the
   * last batch needed is kept, and room far beyond that is let go. The batch is to be synced unless
   * {@link #want} says otherwise.
   */
  public void restart(long nextNumber, Reserve nextReserve) {
    number = nextNumber;
    previous = nextNumber - 1;
    reserve = Objects.requireNonNull(nextReserve, "nextReserve");
    wanted = Wanted.SYNCED;
    int roomMost = Math.max(CAPACITY_LEAST, CAPACITY_SPARE * size);
    if (keys.length > roomMost) {
      int capacity = Integer.highestOneBit(roomMost);
      keys = new byte[capacity][];
      values = new byte[capacity][];
      news = new boolean[capacity];
      hashes = new int[capacity];
      table = new int[2 * capacity];
    } else {
      Arrays.fill(keys, 0, size, null);
      Arrays.fill(values, 0, size, null);
      Arrays.fill(news, 0, size, false);
      if (!isAscending) {
        Arrays.fill(table, 0);
      }
    }
    isAscending = true;
    size = 0;
    bytes = 0;
  }

  /** Returns the place of the batch in the store's history; see {@link OrderedStore#write}. */
  public long number() {
    return number;
  }

  /**
   * Returns the number of the batch that this one follows: the one before its own, unless it is a
   * sum.
   */
  public long previous() {
    return previous;
  }

  /**
   * Makes this a sum of the batches from the one after {@code value} to the one with its own
   * number.
   *
   * @throws IllegalArgumentException the number of this batch is not later than {@code value}
   */
  public void follow(long value) {
    if (value >= number) {
      throw new IllegalArgumentException(
          "a batch must be later than the one it follows: number="
              + number
              + ", previous="
              + value);
    }
    previous = value;
  }

  public Reserve reserve() {
    return reserve;
  }

  /**
   * Sets how durable the batch is to be when its write returns; {@link Wanted#SYNCED} unless set.
   * The writer knows this only when the batch is complete, for it depends on who is answered with
   * it.
   */
  public void want(Wanted value) {
    wanted = Objects.requireNonNull(value, "wanted");
  }

  /**
   * Returns how durable the batch is to be when its write returns. Stores that are {@link
   * StoreInfo.Syncing#WITH_WRITE} act on it; others are told by {@link OrderedStore#sync}.
   */
  public Wanted wanted() {
    return wanted;
  }

  /** Sets the key's value, in place of any earlier operation on the key. */
  public void put(byte[] key, byte[] value) {
    set(key, Objects.requireNonNull(value, "value"));
  }

  /**
   * Sets the value of a key that the store does not have. A store that gathers batches may then
   * forget the row if it is deleted soon, instead of deleting it from a place that it never
   * reached. If another operation of this batch replaces this one, that is on a key that the store
   * does not have, either.
   *
   * <p>For a key that already has an operation this is an ordinary {@link #put}.
   */
  public void putNew(byte[] key, byte[] value) {
    int before = size;
    put(key, value);
    if (size > before) {
      news[before] = true;
    }
  }

  /** Removes the key if the store has it, in place of any earlier operation on the key. */
  public void delete(byte[] key) {
    set(key, null);
  }

  /** Returns how many keys have an operation. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the length of all keys and values, in bytes. */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the key of an operation, {@code 0 <= index < size()}.
   *
   * @throws IndexOutOfBoundsException there is no such operation
   */
  public byte[] key(int index) {
    return keys[Objects.checkIndex(index, size)];
  }

  /**
   * Returns the value that an operation puts, or null if it deletes.
   *
   * @throws IndexOutOfBoundsException there is no such operation
   */
  public byte @Nullable [] value(int index) {
    return values[Objects.checkIndex(index, size)];
  }

  /**
   * Tells whether an operation is on a key that the store does not have, as the batch's maker
   * knows.
   *
   * @throws IndexOutOfBoundsException there is no such operation
   */
  public boolean isNew(int index) {
    return news[Objects.checkIndex(index, size)];
  }

  /** Returns the index of the key's operation, or {@link #ABSENT}. */
  public int find(byte[] key) {
    if (isAscending) {
      int place = Arrays.binarySearch(keys, 0, size, key, Arrays::compareUnsigned);
      return place < 0 ? ABSENT : place;
    }
    return table[slot(key, Arrays.hashCode(key))] - 1;
  }

  /** Returns the indexes of the operations on a range of keys, in key order. */
  public int[] sorted(byte[] startInclusive, byte[] endExclusive) {
    int[] found = new int[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (Arrays.compareUnsigned(keys[i], startInclusive) >= 0
          && Arrays.compareUnsigned(keys[i], endExclusive) < 0) {
        found[count++] = i;
      }
    }
    int[] result = Arrays.copyOf(found, count);
    mergeSort(result, found, 0, count);
    return result;
  }

  /** Sorts {@code order[from, to)} by key; {@code copy} holds the same and is used up. */
  private void mergeSort(int[] order, int[] copy, int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    mergeSort(copy, order, from, middle);
    mergeSort(copy, order, middle, to);
    if (compare(copy[middle - 1], copy[middle]) < 0) {
      // Most keys come in their order.
      System.arraycopy(copy, from, order, from, to - from);
      return;
    }
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean isLeftNext = right == to || (left < middle && compare(copy[left], copy[right]) < 0);
      order[i] = isLeftNext ? copy[left++] : copy[right++];
    }
  }

  private int compare(int a, int b) {
    return Arrays.compareUnsigned(keys[a], keys[b]);
  }

  /**
   * Checks what every store must check before it touches anything: the number and the limits.
   *
   * @throws IllegalArgumentException the batch does not follow {@code lastCommit}, or is beyond a
   *     limit of {@code info}
   */
  public void requireAcceptable(long lastCommit, StoreInfo info) {
    if (previous != lastCommit) {
      throw new IllegalArgumentException(
          "batch is out of order: number="
              + number
              + ", previous="
              + previous
              + ", lastCommit="
              + lastCommit);
    }
    if (size > info.batchOperationsMax()) {
      throw tooMuch("batch has too many operations", size, info.batchOperationsMax());
    }
    if (bytes > info.batchBytesMax()) {
      throw tooMuch("batch is too large", bytes, info.batchBytesMax());
    }
    for (int i = 0; i < size; i++) {
      requireRow(keys[i], values[i], info);
    }
  }

  private static void requireRow(byte[] key, byte @Nullable [] value, StoreInfo info) {
    info.requireKey(key);
    if (value != null && value.length > info.valueBytesMax()) {
      throw tooMuch("value is too long", value.length, info.valueBytesMax());
    }
  }

  private static IllegalArgumentException tooMuch(String what, long value, long most) {
    return new IllegalArgumentException(what + ": value=" + value + ", most=" + most);
  }

  private void set(byte[] key, byte @Nullable [] value) {
    if (isAscending && (size == 0 || Arrays.compareUnsigned(keys[size - 1], key) < 0)) {
      append(key, value);
      return;
    }
    index();
    int hash = Arrays.hashCode(key);
    int slot = slot(key, hash);
    int index = table[slot] - 1;
    if (index != ABSENT) {
      byte[] previous = values[index];
      bytes += length(value) - length(previous);
      values[index] = value;
      return;
    }
    hashes[size] = hash;
    table[slot] = size + 1;
    append(key, value);
  }

  private static long length(byte @Nullable [] value) {
    return value == null ? 0 : value.length;
  }

  /** Adds an operation at the end, for which there is room, and makes room for the next. */
  private void append(byte[] key, byte @Nullable [] value) {
    keys[size] = key;
    values[size] = value;
    bytes += key.length + length(value);
    size++;
    if (size == keys.length) {
      grow();
    }
  }

  private void grow() {
    int capacity = 2 * keys.length;
    keys = Arrays.copyOf(keys, capacity);
    values = Arrays.copyOf(values, capacity);
    news = Arrays.copyOf(news, capacity);
    if (!isAscending) {
      hashes = Arrays.copyOf(hashes, capacity);
      fillTable();
    }
  }

  /**
   * Enters all operations into the table, unless they are there, and finds them through it from now
   * on.
   */
  private void index() {
    if (isAscending) {
      isAscending = false;
      if (hashes.length < keys.length) {
        hashes = new int[keys.length];
      }
      for (int i = 0; i < size; i++) {
        hashes[i] = Arrays.hashCode(keys[i]);
      }
      fillTable();
    }
  }

  private void fillTable() {
    if (table.length < 2 * keys.length) {
      table = new int[2 * keys.length];
    }
    for (int i = 0; i < size; i++) {
      table[slot(keys[i], hashes[i])] = i + 1;
    }
  }

  /**
   * Returns the slot that holds the key, or the free one where it belongs. Slots hold index + 1, so
   * that 0 is free.
   */
  private int slot(byte[] key, int hash) {
    int mask = table.length - 1;
    int slot = spread(hash) & mask;
    for (int held = table[slot]; held != 0; held = table[slot]) {
      if (hashes[held - 1] == hash && Arrays.equals(keys[held - 1], key)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /**
   * Multiplies by 2^32 / phi: the keys' hashes differ mostly in their low bits, and neighbours must
   * not cluster.
   */
  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }
}
