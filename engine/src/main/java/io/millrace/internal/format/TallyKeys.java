package io.millrace.internal.format;

import io.millrace.tables.ReservedTables;
import java.util.Arrays;

/**
 * Keys of tallies and of what belongs to them, in tables of the engine's own. A tally's number is a
 * sequence, so that tallies are in the order in which they were begun. On disk, never change.
 *
 * <pre>
 *  table millrace.tallies        key: number (8 bytes, big-endian)
 *                                value: the tally
 *  table millrace.tallies-due    key: steady time, number (8 bytes each, big-endian)
 *                                value: none; that the row is there means that the tally is to be
 *                                  looked at then. At 0: that it, and all tallies of higher
 *                                  numbers, are to be counted anew
 *  table millrace.tally-results  key: number, birth sequence of the job (8 bytes each, big-endian)
 *                                value: the job's result
 * </pre>
 */
public final class TallyKeys {

  private static final String TALLIES = ReservedTables.PREFIX + "tallies";
  private static final String DUE = ReservedTables.PREFIX + "tallies-due";
  private static final String RESULTS = ReservedTables.PREFIX + "tally-results";
  private static final byte[] TALLIES_START = TableKeys.start(TALLIES);
  private static final byte[] DUE_START = TableKeys.start(DUE);
  private static final byte[] RESULTS_START = TableKeys.start(RESULTS);
  private static final byte SIGNAL = (byte) 0xff;
  private static final int NO_QUEUE = Integer.MAX_VALUE;
  private static final byte[] NOTHING = {};

  private TallyKeys() {}

  /** Returns the key of the tally's row. */
  public static byte[] key(long number) {
    return key(TALLIES_START, number);
  }

  /** Tells whether the key is that of a tally's row. */
  public static boolean isKey(byte[] key) {
    return isKey(TALLIES_START, key, Long.BYTES) && last(key) > 0;
  }

  /** Returns the least key of a tally's row. */
  public static byte[] start() {
    return TALLIES_START.clone();
  }

  /** Returns the exclusive end of the keys of tallies' rows. */
  public static byte[] end() {
    return TableKeys.end(TALLIES);
  }

  /** Returns the number of the tally in the key of its row. */
  public static long number(byte[] key) {
    return last(key);
  }

  /**
   * Returns the key of the row that says that the tally is to be looked at when this time has come.
   */
  public static byte[] dueKey(long steadyMs, long number) {
    return key(DUE_START, KeyLayout.checkTime(steadyMs), number);
  }

  /**
   * Returns the key of the row that says that the tally of this number, whether it has a row or
   * not, and all of higher numbers are to be counted anew; of the number 0 for just all.
   */
  public static byte[] recountKey(long number) {
    return dueKey(0, number);
  }

  /** Returns the exclusive end of the keys that say which tallies are to be counted anew. */
  public static byte[] recountEnd() {
    return dueKey(1, 0);
  }

  /** Tells whether the key is that of a row that says that a tally is to be looked at. */
  public static boolean isDueKey(byte[] key) {
    return isKey(DUE_START, key, 2 * Long.BYTES) && first(key) >= 0 && last(key) >= 0;
  }

  /** Returns the steady time in the key of a row that says that a tally is to be looked at. */
  public static long dueMs(byte[] key) {
    return first(key);
  }

  /** Returns the number of the tally in the key of such a row. */
  public static long dueNumber(byte[] key) {
    return last(key);
  }

  /** Returns the value of the row that says that a tally is to be looked at. */
  public static byte[] encodeDue(byte[] key) {
    return new TableRecord(NOTHING).encode(key);
  }

  /** Returns the least key of a row that says that a tally is to be looked at. */
  public static byte[] dueStart() {
    return DUE_START.clone();
  }

  /** Returns the exclusive end of the keys of rows that say that tallies are to be looked at. */
  public static byte[] dueEnd() {
    return TableKeys.end(DUE);
  }

  /** Returns the key of the row that keeps the result of a job of the tally. */
  public static byte[] resultKey(long number, long birth) {
    return key(RESULTS_START, number, birth);
  }

  /** Tells whether the key is that of a row that keeps the result of a job of a tally. */
  public static boolean isResultKey(byte[] key) {
    return isKey(RESULTS_START, key, 2 * Long.BYTES) && first(key) > 0 && last(key) >= 0;
  }

  /** Returns the number of the tally in the key of such a row. */
  public static long resultNumber(byte[] key) {
    return first(key);
  }

  /** Returns the least key of a row that keeps a result of the tally. */
  public static byte[] resultsStart(long number) {
    return key(RESULTS_START, number);
  }

  /** Returns the exclusive end of the keys of rows that keep results of the tally. */
  public static byte[] resultsEnd(long number) {
    return number == Long.MAX_VALUE ? resultsEnd() : resultsStart(number + 1);
  }

  /** Returns the least key of a row that keeps a result. */
  public static byte[] resultsStart() {
    return RESULTS_START.clone();
  }

  /** Returns the exclusive end of the keys of rows that keep results. */
  public static byte[] resultsEnd() {
    return TableKeys.end(RESULTS);
  }

  /**
   * Returns the signal under which jobs wait for the tally. No name of a signal is this one, for
   * none has a byte of 255 in UTF-8.
   */
  public static byte[] signal(long number) {
    byte[] signal = new byte[1 + Long.BYTES];
    signal[0] = SIGNAL;
    Bytes.putLong(signal, 1, KeyLayout.checkSequence(number));
    return signal;
  }

  /** Tells whether the signal is that of a tally. */
  public static boolean isSignal(byte[] signal) {
    return signal.length == 1 + Long.BYTES && signal[0] == SIGNAL;
  }

  /** Returns the number of the tally whose signal this is. */
  public static long ofSignal(byte[] signal) {
    return Bytes.getLong(signal, 1);
  }

  /**
   * Returns the address under which callers wait for the tally's end, beside those of jobs: that of
   * a queue of which there is none, for a tally's number is no job's birth.
   */
  public static JobAddress address(long number) {
    return new JobAddress(NO_QUEUE, Keyspace.READY, 0, number);
  }

  /** Tells whether the address is that of a tally. */
  public static boolean isAddress(JobAddress address) {
    return address.queue() == NO_QUEUE;
  }

  private static byte[] key(byte[] start, long... numbers) {
    byte[] key = Arrays.copyOf(start, start.length + numbers.length * Long.BYTES);
    for (int i = 0; i < numbers.length; i++) {
      Bytes.putLong(key, start.length + i * Long.BYTES, KeyLayout.checkSequence(numbers[i]));
    }
    return key;
  }

  private static boolean isKey(byte[] start, byte[] key, int bytes) {
    int length = start.length;
    return key.length == length + bytes && Arrays.equals(key, 0, length, start, 0, length);
  }

  private static long first(byte[] key) {
    return Bytes.getLong(TableKeys.userKey(key), 0);
  }

  private static long last(byte[] key) {
    return Bytes.getLong(key, key.length - Long.BYTES);
  }
}
