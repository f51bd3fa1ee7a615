package io.millrace.internal.format;

import java.util.Arrays;

/**
 * A queue's counts and heads. On disk, never change.
 *
 * <pre>
 *  tag 1  counts  jobs per state: code, varint; those that are 0 are left out
 *                 1 READY, 2 DELAYED, 3 LEASED, 4 BLOCKED, 5 WAITING, 6 DEAD, 7 DONE
 *      2  counts  totals: code, varint; those that are 0 are left out
 *                 1 ENQUEUED, 2 CLAIMED, 3 COMPLETED, 4 RETRIED, 5 RELEASED, 6 SNOOZED, 7 EXPIRED,
 *                 8 DIED, 9 CANCELLED, 10 REDRIVEN, 11 DELETED, 12 QUARANTINED,
 *                 13 DROPPED, 14 SWEPT, 15 PURGED, 16 WAITED, 17 WOKEN
 *      3  rows    per used priority: 127 - priority (1 byte), ready count (varint),
 *                 lowest unleased ready sequence (8 bytes, big-endian)
 *      4  number  agendaAt, epoch ms; none (2^63 - 1) by default
 *      5  number  nextDelayedAt, epoch ms; none (2^63 - 1) by default
 *      6  number  empty since, epoch ms; 0 (not empty) by default
 *      7  number  holders per concurrency key up to which blocked jobs were let go on; 0 by default
 *      8  flag    of older versions; not read
 * </pre>
 *
 * <p>The arrays are kept, not copied: nobody may change them while the record is in use.
 *
 * @param states jobs in each state, by {@code JobState.ordinal()}
 * @param totals what has happened, by {@code QueueStats.Total.ordinal()}
 * @param ready the priorities in use
 * @param agendaAtMs the time of the queue's AGENDA entry; Long.MAX_VALUE for none
 * @param nextDelayedAtMs the time at which the first delayed job will be visible; Long.MAX_VALUE
 *     for none
 * @param emptySinceMs the time since which the queue has had no jobs; 0 if it has some
 * @param perKeyDone the number of holders that each concurrency key with blocked jobs has at least;
 *     0 if nothing is known, or no job is blocked
 */
public record CountersRecord(
    long[] states,
    long[] totals,
    ReadyRow[] ready,
    long agendaAtMs,
    long nextDelayedAtMs,
    long emptySinceMs,
    int perKeyDone) {

  /** The value of a time that is not set. */
  public static final long NONE = Long.MAX_VALUE;

  private static final int STATES = 1;
  private static final int TOTALS = 2;
  private static final int READY = 3;
  private static final int AGENDA_AT = 4;
  private static final int NEXT_DELAYED_AT = 5;
  private static final int EMPTY_SINCE = 6;
  private static final int PER_KEY_DONE = 7;
  private static final int ROW_COUNT_MAX = 256;
  private static final ReadyRow[] NO_ROWS = {};

  /**
   * The jobs of one priority that are in READY and not leased.
   *
   * @param priority -128 to 127
   * @param readyCount the number of these jobs
   * @param headSequence the lowest ready sequence of these jobs
   */
  public record ReadyRow(int priority, long readyCount, long headSequence) {

    public ReadyRow {
      KeyLayout.checkPriority(priority);
      KeyLayout.checkSequence(headSequence);
    }
  }

  public CountersRecord {
    CounterCodes.checkStates(states);
    CounterCodes.checkTotals(totals);
    if (ready.length > ROW_COUNT_MAX) {
      throw new IllegalArgumentException("more rows than priorities: rows=" + ready.length);
    }
  }

  /** Returns these counters with another {@link #perKeyDone}. */
  public CountersRecord withPerKeyDone(int value) {
    return new CountersRecord(
        states, totals, ready, agendaAtMs, nextDelayedAtMs, emptySinceMs, value);
  }

  /** Returns the counters of a queue to which nothing has happened yet. */
  public static CountersRecord empty() {
    return new CountersRecord(
        CounterCodes.noStates(), CounterCodes.noTotals(), NO_ROWS, NONE, NONE, 0, 0);
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    CounterCodes.writeStates(writer, STATES, states);
    CounterCodes.writeTotals(writer, TOTALS, totals);
    if (ready.length > 0) {
      int start = writer.begin(READY);
      for (ReadyRow row : ready) {
        writer.addByte(KeyLayout.encodePriority(row.priority));
        writer.addVarint(row.readyCount);
        writer.addLong(row.headSequence);
      }
      writer.end(start);
    }
    writer.number(AGENDA_AT, agendaAtMs, NONE);
    writer.number(NEXT_DELAYED_AT, nextDelayedAtMs, NONE);
    writer.number(EMPTY_SINCE, emptySinceMs, 0);
    writer.number(PER_KEY_DONE, perKeyDone, 0);
    return writer.seal(key);
  }

  public static CountersRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.COUNTERS, key, value, CountersRecord::read);
  }

  private static CountersRecord read(RecordReader reader) {
    long[] states = CounterCodes.noStates();
    long[] totals = CounterCodes.noTotals();
    ReadyRow[] ready = NO_ROWS;
    long agendaAtMs = NONE;
    long nextDelayedAtMs = NONE;
    long emptySinceMs = 0;
    int perKeyDone = 0;
    while (reader.next()) {
      switch (reader.tag()) {
        case STATES -> states = CounterCodes.readStates(reader);
        case TOTALS -> totals = CounterCodes.readTotals(reader);
        case READY -> ready = readRows(reader);
        case AGENDA_AT -> agendaAtMs = reader.number();
        case NEXT_DELAYED_AT -> nextDelayedAtMs = reader.number();
        case EMPTY_SINCE -> emptySinceMs = reader.number();
        case PER_KEY_DONE -> perKeyDone = reader.intNumber();
        default -> {}
      }
    }
    return new CountersRecord(
        states, totals, ready, agendaAtMs, nextDelayedAtMs, emptySinceMs, perKeyDone);
  }

  private static ReadyRow[] readRows(RecordReader reader) {
    ReadyRow[] rows = new ReadyRow[4];
    int count = 0;
    while (reader.hasMore()) {
      if (count == ROW_COUNT_MAX) {
        throw reader.corrupt("more rows than priorities");
      }
      int priority = KeyLayout.decodePriority((byte) reader.takeByte());
      rows = count == rows.length ? Arrays.copyOf(rows, 2 * count) : rows;
      rows[count++] = new ReadyRow(priority, reader.takeVarint(), reader.takeLong());
    }
    return Arrays.copyOf(rows, count);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CountersRecord that
        && Arrays.equals(states, that.states)
        && Arrays.equals(totals, that.totals)
        && Arrays.equals(ready, that.ready)
        && agendaAtMs == that.agendaAtMs
        && nextDelayedAtMs == that.nextDelayedAtMs
        && emptySinceMs == that.emptySinceMs
        && perKeyDone == that.perKeyDone;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(states) + Arrays.hashCode(totals);
  }

  @Override
  public String toString() {
    return "CountersRecord[states="
        + Arrays.toString(states)
        + ", totals="
        + Arrays.toString(totals)
        + ", ready="
        + Arrays.toString(ready)
        + ", agendaAtMs="
        + agendaAtMs
        + ", nextDelayedAtMs="
        + nextDelayedAtMs
        + ", emptySinceMs="
        + emptySinceMs
        + ", perKeyDone="
        + perKeyDone
        + "]";
  }
}
