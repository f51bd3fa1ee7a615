package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A tally: the counts of many jobs that are one to their user, and the jobs that wait for it. Each
 * of its jobs names it; nothing in here grows with the number of jobs. On disk, never change.
 *
 * <pre>
 *  tag  1  text     name; empty by default
 *       2  number   flags: 1 sealed, 2 cancelled, 4 keeps results
 *       3  counts   each: code (1), count (varint); zeros left out
 *       4  waiters  each: queue number (4), birth sequence (8), code of the condition (1)
 *       5  queues   numbers of queues that have or had jobs of it: varints, 32 at most. None if
 *                   they are more
 *       6  number   outer tally; 0, by default, for none
 *       7  number   how long it is kept when it is final, ms
 *       8  number   begun at
 *       9  number   over since; 0, by default, if it is not over
 *      10  number   steady time of its removal; 0, by default, if it is not final
 *      11  number   code of the count of the outer tally that it is in; 0, by default, for LEFT
 * </pre>
 *
 * @param name the name that the user gave it; names need not be unique
 * @param flags the sum of the flags that are set
 * @param counts the number of jobs of each {@link Count}, by ordinal; shared, nobody may change it
 * @param waiters the jobs that wait for it. One that waits no longer means nothing
 * @param queues the numbers of the queues that have or had jobs of it; empty if they are too many
 * @param outer the number of the tally of which this one counts as a job; 0 for none
 * @param retentionMs how long it is kept when it is final
 * @param createdAtMs the engine time at which it was begun
 * @param overSinceMs the engine time at which its last job ended; 0 if it goes on
 * @param removalMs the steady time at which it is removed; 0 if it is not final
 * @param countedAs the count of the outer tally that it is in
 */
public record TallyRecord(
    String name,
    int flags,
    long[] counts,
    List<Waiter> waiters,
    List<Integer> queues,
    long outer,
    long retentionMs,
    long createdAtMs,
    long overSinceMs,
    long removalMs,
    Count countedAs) {

  /** The flag of a tally that is over once none of its jobs is left. On disk, never change. */
  public static final int SEALED = 1;

  /** The flag of a tally that was cancelled: no job joins it any more. */
  public static final int CANCELLED = 2;

  /** The flag of a tally that keeps the results of its jobs. */
  public static final int KEEPS_RESULTS = 4;

  /** The most queues that a tally names. */
  public static final int QUEUE_COUNT_MAX = 32;

  private static final int NAME = 1;
  private static final int FLAGS = 2;
  private static final int COUNTS = 3;
  private static final int WAITERS = 4;
  private static final int QUEUES = 5;
  private static final int OUTER = 6;
  private static final int RETENTION = 7;
  private static final int CREATED_AT = 8;
  private static final int OVER_SINCE = 9;
  private static final int REMOVAL = 10;
  private static final int COUNTED_AS = 11;

  public TallyRecord {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(countedAs, "countedAs");
    waiters = List.copyOf(waiters);
    queues = List.copyOf(queues);
  }

  /** The counts of a tally's jobs: each job is in one. The codes are on disk, never change. */
  public enum Count {
    /** Jobs that have not ended. */
    LEFT(1),
    /** Dead letters, which may be brought back. */
    DEAD(2),
    /** Jobs that were completed. */
    SUCCEEDED(3),
    /** Dead letters that were removed. */
    FAILED(4),
    /** Jobs that were cancelled, or replaced by others of the same unique key. */
    CANCELLED(5),
    /** Jobs whose time to live ended before they were started. */
    EXPIRED(6),
    /** Jobs that were removed with all others of their queue. */
    PURGED(7),
    /** Jobs whose records were lost. */
    LOST(8);

    private static final Count[] BY_CODE = new Count[values().length];

    static {
      for (Count count : values()) {
        BY_CODE[count.code - 1] = count;
      }
    }

    private final int code;

    Count(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    /** Returns the count of the code; that of jobs that are left if there is none. */
    static Count of(int code) {
      return code >= 1 && code <= BY_CODE.length ? BY_CODE[code - 1] : LEFT;
    }
  }

  /** The conditions for which a job may wait. The codes are on disk, never change. */
  public enum Condition {
    /** All jobs have ended, in whatever way. */
    ENDED(1),
    /** All jobs have ended, and all of them succeeded. */
    ALL_SUCCEEDED(2),
    /** All jobs have ended, and at least one is dead or failed. */
    ANY_DIED(3);

    private static final Condition[] BY_CODE = new Condition[values().length];

    static {
      for (Condition condition : values()) {
        BY_CODE[condition.code - 1] = condition;
      }
    }

    private final int code;

    Condition(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }

    /** Tells whether the condition holds of a tally that is over. */
    public boolean holds(TallyRecord over) {
      return switch (this) {
        case ENDED -> true;
        case ALL_SUCCEEDED -> over.total() == over.count(Count.SUCCEEDED);
        case ANY_DIED -> over.count(Count.DEAD) + over.count(Count.FAILED) > 0;
      };
    }

    /**
     * Returns the condition of the code.
     *
     * @throws IllegalArgumentException there is none
     */
    public static Condition of(int code) {
      if (code < 1 || code > BY_CODE.length) {
        throw new IllegalArgumentException("condition is not known: code=" + code);
      }
      return BY_CODE[code - 1];
    }
  }

  /**
   * A job that waits for the tally.
   *
   * @param queue the number of its queue
   * @param birth its birth sequence
   * @param condition what it waits for
   */
  public record Waiter(int queue, long birth, Condition condition) {

    public Waiter {
      KeyLayout.checkQueue(queue);
      KeyLayout.checkSequence(birth);
      Objects.requireNonNull(condition, "condition");
    }
  }

  /** Returns counts of 0. */
  public static long[] noCounts() {
    return new long[Count.values().length];
  }

  public long count(Count of) {
    return counts[of.ordinal()];
  }

  /** Returns the number of all jobs of it that are there or were. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  /** Returns the count of an outer tally in which this one is to be, as if it were one job. */
  public Count asOne() {
    if (overSinceMs == 0) {
      return Count.LEFT;
    } else if (count(Count.DEAD) > 0) {
      return Count.DEAD;
    } else if (count(Count.FAILED) > 0) {
      return Count.FAILED;
    } else if (count(Count.LOST) > 0) {
      return Count.LOST;
    }
    return total() == count(Count.SUCCEEDED) ? Count.SUCCEEDED : Count.CANCELLED;
  }

  public boolean is(int flag) {
    return (flags & flag) != 0;
  }

  /**
   * Returns the tally with more jobs in its counts, or fewer, which joined from these queues, too.
   *
   * @param more what is added to each count; becomes the tally's own
   */
  public TallyRecord plus(long[] more, List<Integer> joined) {
    boolean hadNone = Arrays.stream(counts).allMatch(count -> count == 0);
    for (int i = 0; i < more.length; i++) {
      more[i] += counts[i];
    }
    List<Integer> all = hadNone ? joined : withQueues(joined);
    Fields changed = new Fields(this);
    changed.counts = more;
    changed.queues = all.size() > QUEUE_COUNT_MAX ? List.of() : all;
    return changed.record();
  }

  private List<Integer> withQueues(List<Integer> joined) {
    if (queues.isEmpty() || queues.containsAll(joined)) {
      return queues;
    }
    return Stream.concat(queues.stream(), joined.stream()).distinct().toList();
  }

  /** Returns the tally with these flags set, too. */
  public TallyRecord with(int moreFlags) {
    Fields changed = new Fields(this);
    changed.flags |= moreFlags;
    return changed.record();
  }

  /** Returns the tally with these jobs, and no others, that wait for it. */
  public TallyRecord awaitedBy(List<Waiter> all) {
    Fields changed = new Fields(this);
    changed.waiters = all;
    return changed.record();
  }

  /** Returns the tally as it is removed at this steady time. */
  public TallyRecord removedAt(long steadyMs) {
    Fields changed = new Fields(this);
    changed.removalMs = steadyMs;
    return changed.record();
  }

  /** Returns the tally as it is over since this time; 0 if it goes on. */
  public TallyRecord over(long sinceMs) {
    Fields changed = new Fields(this);
    changed.overSinceMs = sinceMs;
    return changed.record();
  }

  /**
   * Returns the tally with as many jobs left and dead as were found; those that are missing are
   * lost. It is not removed as long as one is there.
   */
  public TallyRecord recounted(long left, long dead) {
    Fields changed = new Fields(this);
    long missing = count(Count.LEFT) + count(Count.DEAD) - left - dead;
    changed.counts = counts.clone();
    changed.counts[Count.LEFT.ordinal()] = left;
    changed.counts[Count.DEAD.ordinal()] = dead;
    changed.counts[Count.LOST.ordinal()] += Math.max(0, missing);
    changed.removalMs = left + dead > 0 ? 0 : removalMs;
    return changed.record();
  }

  /**
   * Returns a tally in place of one whose row is lost, and with it the number of those that have
   * ended: it is sealed, and says that a job was lost, so that it cannot be taken for one that
   * succeeded. It is in no other tally.
   */
  public static TallyRecord anew(long nowMs, long retentionMs) {
    Fields fields = new Fields();
    fields.flags = SEALED;
    fields.counts[Count.LOST.ordinal()] = 1;
    fields.createdAtMs = nowMs;
    fields.retentionMs = retentionMs;
    return fields.record();
  }

  /** Returns the tally as it is in this count of its outer one. */
  public TallyRecord countedAs(Count count) {
    Fields changed = new Fields(this);
    changed.countedAs = count;
    return changed.record();
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.text(NAME, name.isEmpty() ? null : name);
    writer.number(FLAGS, flags, 0);
    writeCounts(writer);
    writeWaiters(writer);
    writeQueues(writer);
    writer
        .number(OUTER, outer, 0)
        .number(RETENTION, retentionMs, 0)
        .number(CREATED_AT, createdAtMs, 0)
        .number(OVER_SINCE, overSinceMs, 0)
        .number(REMOVAL, removalMs, 0)
        .number(COUNTED_AS, countedAs == Count.LEFT ? 0 : countedAs.code, 0);
    return new TableRecord(writer.seal(key)).encode(key);
  }

  private void writeCounts(RecordWriter writer) {
    int start = 0;
    for (Count count : Count.values()) {
      long value = counts[count.ordinal()];
      if (value != 0) {
        start = start == 0 ? writer.begin(COUNTS) : start;
        writer.addByte(count.code);
        writer.addVarint(value);
      }
    }
    if (start != 0) {
      writer.end(start);
    }
  }

  private void writeWaiters(RecordWriter writer) {
    if (!waiters.isEmpty()) {
      int start = writer.begin(WAITERS);
      for (Waiter waiter : waiters) {
        writer.addInt(waiter.queue);
        writer.addLong(waiter.birth);
        writer.addByte(waiter.condition.code);
      }
      writer.end(start);
    }
  }

  private void writeQueues(RecordWriter writer) {
    if (!queues.isEmpty()) {
      int start = writer.begin(QUEUES);
      queues.forEach(writer::addVarint);
      writer.end(start);
    }
  }

  /**
   * Returns the tally of the row.
   *
   * @throws io.millrace.api.CorruptDataException the row is damaged
   */
  public static TallyRecord decode(byte[] key, byte[] value) {
    byte[] content = TableRecord.decode(key, value).bytes();
    return RecordReader.decode(Keyspace.TABLE, key, content, Fields::read);
  }

  /** The fields of a tally that is being read, or of one that another is made from. */
  private static final class Fields {
    private String name = "";
    private int flags;
    private long[] counts = noCounts();
    private List<Waiter> waiters = new ArrayList<>();
    private List<Integer> queues = new ArrayList<>();
    private long outer;
    private long retentionMs;
    private long createdAtMs;
    private long overSinceMs;
    private long removalMs;
    private Count countedAs = Count.LEFT;

    Fields() {}

    Fields(TallyRecord from) {
      name = from.name;
      flags = from.flags;
      counts = from.counts;
      waiters = from.waiters;
      queues = from.queues;
      outer = from.outer;
      retentionMs = from.retentionMs;
      createdAtMs = from.createdAtMs;
      overSinceMs = from.overSinceMs;
      removalMs = from.removalMs;
      countedAs = from.countedAs;
    }

    static TallyRecord read(RecordReader reader) {
      Fields fields = new Fields();
      while (reader.next()) {
        fields.take(reader);
      }
      return fields.record();
    }

    private void take(RecordReader reader) {
      switch (reader.tag()) {
        case NAME -> name = reader.text();
        case FLAGS -> flags = reader.intNumber();
        case COUNTS -> takeCounts(reader);
        case WAITERS -> takeWaiters(reader);
        case QUEUES -> takeQueues(reader);
        case OUTER -> outer = reader.number();
        case RETENTION -> retentionMs = reader.number();
        case CREATED_AT -> createdAtMs = reader.number();
        case OVER_SINCE -> overSinceMs = reader.number();
        case REMOVAL -> removalMs = reader.number();
        case COUNTED_AS -> countedAs = Count.of(reader.intNumber());
        default -> {}
      }
    }

    private void takeCounts(RecordReader reader) {
      while (reader.hasMore()) {
        int code = reader.takeByte();
        long count = reader.takeVarint();
        if (code >= 1 && code <= Count.BY_CODE.length) {
          counts[Count.BY_CODE[code - 1].ordinal()] = count;
        }
      }
    }

    private void takeWaiters(RecordReader reader) {
      while (reader.hasMore()) {
        int queue = reader.takeFourBytes();
        long birth = reader.takeLong();
        waiters.add(new Waiter(queue, birth, Condition.of(reader.takeByte())));
      }
    }

    private void takeQueues(RecordReader reader) {
      while (reader.hasMore()) {
        queues.add(reader.takeInt());
      }
    }

    private TallyRecord record() {
      return new TallyRecord(
          name,
          flags,
          counts,
          waiters,
          queues,
          outer,
          retentionMs,
          createdAtMs,
          overSinceMs,
          removalMs,
          countedAs);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TallyRecord that
        && name.equals(that.name)
        && flags == that.flags
        && Arrays.equals(counts, that.counts)
        && waiters.equals(that.waiters)
        && queues.equals(that.queues)
        && outer == that.outer
        && retentionMs == that.retentionMs
        && createdAtMs == that.createdAtMs
        && overSinceMs == that.overSinceMs
        && removalMs == that.removalMs
        && countedAs == that.countedAs;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, flags, Arrays.hashCode(counts), createdAtMs);
  }
}
