package io.millrace.internal.format;

import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyRecord.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts of tallies by what all records say, for a stretch of tallies at a time, so that memory
 * does not grow with their number. The stretch has the lowest numbers, from where it begins, of all
 * that are added: those of rows, and those that are named.
 */
public final class TallyCounts {

  /** The most tallies of one stretch. */
  public static final int COUNT_MAX = 100_000;

  private final int countMax;
  private final long from;
  private final NavigableMap<Long, Counted> counted = new TreeMap<>();
  private long end = Long.MAX_VALUE;

  /** A tally as it is stored, and as it is counted. */
  public static final class Counted {
    private @Nullable TallyRecord stored;
    private boolean hasRow;
    private boolean isDue;
    private long left;
    private long dead;
    private final List<Waiter> waiting = new ArrayList<>(0);

    /** Returns the tally's row; null if it has none that can be read. */
    public @Nullable TallyRecord stored() {
      return stored;
    }

    /** Tells whether there is a row of the tally, which may be damaged. */
    public boolean hasRow() {
      return hasRow;
    }

    /** Tells whether a row says that the tally is to be counted anew. */
    public boolean isDue() {
      return isDue;
    }

    public long left() {
      return left;
    }

    public long dead() {
      return dead;
    }

    /** Returns the jobs that wait for the tally by what their records say. */
    public List<Waiter> waiting() {
      return waiting;
    }
  }

  /** Creates the counts of a stretch that begins with this number. */
  public TallyCounts(long from) {
    this(from, COUNT_MAX);
  }

  TallyCounts(long from, int countMax) {
    this.from = from;
    this.countMax = countMax;
  }

  /** Returns the tallies of the stretch, by their numbers, when all has been added. */
  public NavigableMap<Long, Counted> all() {
    return counted;
  }

  /** Returns the number with which the next stretch begins; the highest of all if that was all. */
  public long end() {
    return end;
  }

  /** Notes that a row says that the tally is to be counted anew. */
  public void addDue(long number) {
    Counted tally = number == 0 ? null : of(number);
    if (tally != null) {
      tally.isDue = true;
    }
  }

  /**
   * Adds the row of a tally, and counts the tally for its outer one.
   *
   * @param record null if the row is damaged
   */
  public void addRow(long number, @Nullable TallyRecord record) {
    Counted tally = of(number);
    if (tally != null) {
      tally.hasRow = true;
      tally.stored = record;
    }
    // It counts there as it says itself. One that has ended may be kept for longer than that one.
    if (record != null && record.outer() != 0 && isCounted(record.countedAs())) {
      add(record.outer(), record.countedAs());
    }
  }

  /**
   * Adds a job that has not been completed.
   *
   * @throws IllegalArgumentException it waits for a tally on a condition that is not known; it is
   *     counted
   */
  public void addJob(byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    if (job.tally() != 0) {
      add(job.tally(), StateTraits.in(keyspace).isEnd() ? Count.DEAD : Count.LEFT);
    }
    if (keyspace == Keyspace.WAITING && TallyKeys.isSignal(WaitingKeys.signal(key))) {
      Condition condition = Condition.of(job.tallyCondition());
      Counted awaited = of(TallyKeys.ofSignal(WaitingKeys.signal(key)));
      if (awaited != null) {
        awaited.waiting.add(new Waiter(WaitingKeys.queue(key), job.birth(), condition));
      }
    }
  }

  private void add(long number, Count count) {
    Counted tally = of(number);
    if (tally != null) {
      tally.left += count == Count.LEFT ? 1 : 0;
      tally.dead += count == Count.DEAD ? 1 : 0;
    }
  }

  private static boolean isCounted(Count count) {
    return count == Count.LEFT || count == Count.DEAD;
  }

  /** Returns the tally; null if it is of another stretch. */
  private @Nullable Counted of(long number) {
    if (number < from || number >= end) {
      return null;
    }
    Counted tally = counted.computeIfAbsent(number, added -> new Counted());
    if (counted.size() > countMax) {
      end = counted.lastKey();
      counted.remove(end);
    }
    return number < end ? tally : null;
  }
}
