package io.millrace.internal.format;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import java.util.Arrays;

/**
 * The stored codes of job states, which {@link StateTraits} says, and of totals, so that the enums
 * may be reordered. On disk, never change.
 */
final class CounterCodes {

  private static final JobState[] STATES = JobState.values();
  private static final QueueStats.Total[] TOTALS = QueueStats.Total.values();

  /** The code of each state, by ordinal. */
  private static final byte[] STATE_CODES = new byte[STATES.length];

  /** The code of each total, by ordinal. */
  private static final byte[] TOTAL_CODES = new byte[TOTALS.length];

  static {
    for (JobState state : STATES) {
      STATE_CODES[state.ordinal()] = (byte) StateTraits.of(state).code();
    }
    for (QueueStats.Total total : TOTALS) {
      TOTAL_CODES[total.ordinal()] = code(total);
    }
  }

  private CounterCodes() {}

  static byte code(QueueStats.Total total) {
    return switch (total) {
      case ENQUEUED -> 1;
      case CLAIMED -> 2;
      case COMPLETED -> 3;
      case RETRIED -> 4;
      case RELEASED -> 5;
      case SNOOZED -> 6;
      case EXPIRED -> 7;
      case DIED -> 8;
      case CANCELLED -> 9;
      case REDRIVEN -> 10;
      case DELETED -> 11;
      case QUARANTINED -> 12;
      case DROPPED -> 13;
      case SWEPT -> 14;
      case PURGED -> 15;
      case WAITED -> 16;
      case WOKEN -> 17;
    };
  }

  static void writeStates(RecordWriter writer, int tag, long[] counts) {
    write(writer, tag, counts, STATE_CODES);
  }

  static void writeTotals(RecordWriter writer, int tag, long[] counts) {
    write(writer, tag, counts, TOTAL_CODES);
  }

  static long[] readStates(RecordReader reader) {
    return read(reader, STATE_CODES);
  }

  static long[] readTotals(RecordReader reader) {
    return read(reader, TOTAL_CODES);
  }

  /** Returns counts of 0 for all states. */
  static long[] noStates() {
    return new long[STATE_CODES.length];
  }

  /** Returns counts of 0 for all totals. */
  static long[] noTotals() {
    return new long[TOTAL_CODES.length];
  }

  static long[] checkStates(long[] counts) {
    return check("states", counts, STATE_CODES);
  }

  static long[] checkTotals(long[] counts) {
    return check("totals", counts, TOTAL_CODES);
  }

  /** Writes the code of each count that is not zero, and the count as a varint. */
  private static void write(RecordWriter writer, int tag, long[] counts, byte[] codes) {
    int start = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        start = start == 0 ? writer.begin(tag) : start;
        writer.addByte(codes[i]);
        writer.addVarint(counts[i]);
      }
    }
    if (start != 0) {
      writer.end(start);
    }
  }

  private static long[] read(RecordReader reader, byte[] codes) {
    long[] counts = new long[codes.length];
    while (reader.hasMore()) {
      int index = indexOf(codes, reader.takeByte());
      long count = reader.takeVarint();
      if (index >= 0) {
        counts[index] = count;
      }
    }
    return counts;
  }

  private static int indexOf(byte[] codes, int code) {
    for (int i = 0; i < codes.length; i++) {
      if (codes[i] == code) {
        return i;
      }
    }
    return -1;
  }

  private static long[] check(String name, long[] counts, byte[] codes) {
    if (counts.length != codes.length) {
      throw new IllegalArgumentException(
          name + " has a wrong length: counts=" + Arrays.toString(counts));
    }
    return counts;
  }
}
