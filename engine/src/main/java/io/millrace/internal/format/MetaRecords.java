package io.millrace.internal.format;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Facts about the store as a whole, one record type for each of {@link MetaKeys}. On disk, never
 * change.
 */
public final class MetaRecords {

  private static final int FIRST = 1;
  private static final int SECOND = 2;
  private static final int THIRD = 3;

  private MetaRecords() {}

  /** Returns the fact; the value itself if it is of a newer engine, which this one cannot judge. */
  static Object decode(byte[] key, byte[] value) {
    if (Arrays.equals(key, MetaKeys.FORMAT)) {
      return Format.decode(value);
    } else if (Arrays.equals(key, MetaKeys.CLEAN_STOP)) {
      return CleanStop.decode(value);
    } else if (Arrays.equals(key, MetaKeys.TIME)) {
      return Time.decode(value);
    } else if (Arrays.equals(key, MetaKeys.QUEUE_NUMBERS)) {
      return QueueNumbers.decode(value);
    } else if (Arrays.equals(key, MetaKeys.COPYING)) {
      return Copying.decode(value);
    }
    return value;
  }

  /**
   * The formats that an engine must know to use the store.
   *
   * <pre>
   *  tag 1  number  format to read; 0 by default
   *      2  number  format to write; 0 by default
   * </pre>
   *
   * @param toRead the least format that an engine must know to read the store
   * @param toWrite the least format that an engine must know to write to it
   */
  public record Format(int toRead, int toWrite) {

    /** The formats that this engine writes into a new store. */
    public static final Format NEW = new Format(1, 1);

    /** The formats of a store with a tally: older engines would forget which jobs it counts. */
    public static final Format WITH_TALLIES = new Format(1, 2);

    /** The formats that this engine knows. */
    public static final Format KNOWN = WITH_TALLIES;

    public byte[] encode() {
      RecordWriter writer = RecordWriter.ofThread();
      return writer.number(FIRST, toRead, 0).number(SECOND, toWrite, 0).seal(MetaKeys.FORMAT);
    }

    public static Format decode(byte[] value) {
      return RecordReader.decode(Keyspace.META, MetaKeys.FORMAT, value, Format::read);
    }

    private static Format read(RecordReader reader) {
      int toRead = 0;
      int toWrite = 0;
      while (reader.next()) {
        switch (reader.tag()) {
          case FIRST -> toRead = reader.intNumber();
          case SECOND -> toWrite = reader.intNumber();
          default -> {}
        }
      }
      return new Format(toRead, toWrite);
    }
  }

  /**
   * The state in which the store was left: whether the last stop was clean, which the first synced
   * commit after an opening clears, and the epoch after the newest stop that was not. Both are in
   * one row: if the epoch is lost, so is the clean stop, and every job is taken for one that was
   * there at such a stop.
   *
   * <pre>
   *  tag 1  flag    clean
   *      2  number  epoch that began after the newest unclean stop; 0, by default, for none
   *      3  flag    no queue has a log of slots; false by default
   * </pre>
   *
   * @param isClean whether the last stop was clean
   * @param afterUnclean the epoch that began after the newest unclean stop; 0 for none. A job that
   *     was born in an earlier epoch may have caused that stop
   * @param areSlotsCounted whether no queue has a log of slots, so that each SLOT row holds. A
   *     version that may begin a log does not know this, and drops it when it opens the store
   */
  public record CleanStop(boolean isClean, long afterUnclean, boolean areSlotsCounted) {

    public byte[] encode() {
      return RecordWriter.ofThread()
          .flag(FIRST, isClean)
          .number(SECOND, afterUnclean, 0)
          .flag(THIRD, areSlotsCounted)
          .seal(MetaKeys.CLEAN_STOP);
    }

    public static CleanStop decode(byte[] value) {
      return RecordReader.decode(Keyspace.META, MetaKeys.CLEAN_STOP, value, CleanStop::read);
    }

    private static CleanStop read(RecordReader reader) {
      boolean isClean = false;
      long afterUnclean = 0;
      boolean areSlotsCounted = false;
      while (reader.next()) {
        switch (reader.tag()) {
          case FIRST -> isClean = reader.flag();
          case SECOND -> afterUnclean = reader.number();
          case THIRD -> areSlotsCounted = reader.flag();
          default -> {}
        }
      }
      return new CleanStop(isClean, afterUnclean, areSlotsCounted);
    }
  }

  /**
   * The times of the last commit. Neither engine time nor steady time goes back behind them.
   *
   * <pre>
   *  tag 1  number  engine time, epoch ms; 0 by default
   *      2  number  steady time, epoch ms; engine time by default
   * </pre>
   *
   * @param lastCommitMs the engine time, which instants are in
   * @param steadyMs the steady time, which the ends of delays of a length are in: engine time
   *     without the steps of the wall clock
   */
  public record Time(long lastCommitMs, long steadyMs) {

    /** The times of a store without a commit. */
    public static final Time NONE = new Time(0, 0);

    public byte[] encode() {
      return RecordWriter.ofThread()
          .number(FIRST, lastCommitMs, 0)
          .number(SECOND, steadyMs, lastCommitMs)
          .seal(MetaKeys.TIME);
    }

    /**
     * Returns how many milliseconds steady time was ahead of engine time; negative if it was
     * behind.
     */
    public long steadyLeadMs() {
      return steadyMs - lastCommitMs;
    }

    public static Time decode(byte[] value) {
      return RecordReader.decode(Keyspace.META, MetaKeys.TIME, value, Time::read);
    }

    private static Time read(RecordReader reader) {
      long lastCommitMs = 0;
      OptionalLong steadyMs = OptionalLong.empty();
      while (reader.next()) {
        switch (reader.tag()) {
          case FIRST -> lastCommitMs = reader.number();
          case SECOND -> steadyMs = OptionalLong.of(reader.number());
          default -> {}
        }
      }
      return new Time(lastCommitMs, steadyMs.orElse(lastCommitMs));
    }
  }

  /**
   * The number that the next new queue gets. Numbers are never used again.
   *
   * <pre>
   *  tag 1  number  next queue number; 0 by default
   * </pre>
   */
  public record QueueNumbers(int next) {

    public byte[] encode() {
      return RecordWriter.ofThread().number(FIRST, next, 0).seal(MetaKeys.QUEUE_NUMBERS);
    }

    public static QueueNumbers decode(byte[] value) {
      return RecordReader.decode(Keyspace.META, MetaKeys.QUEUE_NUMBERS, value, QueueNumbers::read);
    }

    private static QueueNumbers read(RecordReader reader) {
      int next = 0;
      while (reader.next()) {
        if (reader.tag() == FIRST) {
          next = reader.intNumber();
        }
      }
      return new QueueNumbers(next);
    }
  }

  /**
   * The mark of a store into which another is being copied. As long as it is there, rows are
   * missing. It is put before the first copied row and deleted with the last batch.
   *
   * <pre>
   *  tag 1  text  id of the store that is copied; empty by default
   * </pre>
   */
  public record Copying(String origin) {

    /** The message about a store that has the mark. */
    public static final String UNFINISHED =
        "store is a copy that was not finished; make the copy again, into the same place or"
            + " another";

    public byte[] encode() {
      RecordWriter writer = RecordWriter.ofThread();
      return writer.text(FIRST, origin.isEmpty() ? null : origin).seal(MetaKeys.COPYING);
    }

    public static Copying decode(byte[] value) {
      return RecordReader.decode(Keyspace.META, MetaKeys.COPYING, value, Copying::read);
    }

    private static Copying read(RecordReader reader) {
      String origin = "";
      while (reader.next()) {
        if (reader.tag() == FIRST) {
          origin = reader.text();
        }
      }
      return new Copying(origin);
    }
  }
}
