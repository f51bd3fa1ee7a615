package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyRecord.Waiter;
import io.millrace.internal.format.WaitingKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The check of tallies: each says how many of its jobs are left and how many are dead, whatever
 * queue they are in, and whether it is over; it names each job that waits for it, and none waits
 * for what is so. How the jobs ended that are gone, it alone knows.
 *
 * <p>Goes over the tallies a stretch at a time, so that memory does not grow with their number; for
 * each stretch over all jobs. Those of a queue that is being removed count as long as they are
 * there.
 */
final class TallyCheck {

  /** The most tallies of one stretch. */
  private static final int COUNT_MAX = 100_000;

  private final ViewRows rows;
  private final Findings findings;

  /** The counts of one tally: as stored, and as found. */
  private static final class Counts {
    private boolean hasRow;
    private @Nullable TallyRecord stored;
    private long left;
    private long dead;
    private final List<Waiter> waiting = new ArrayList<>(0);
  }

  /** Creates the check of all tallies that the rows have, which are of one view. */
  TallyCheck(ViewRows rows, Findings findings) {
    this.rows = rows;
    this.findings = findings;
  }

  /** Checks the tallies; costs nothing where there are none, and no job names one. */
  void run() {
    KeyRange rest = new KeyRange(TallyKeys.start(), TallyKeys.end());
    if (findings.hasTallies() || !rows.chunk(rest, 1).isEmpty()) {
      while (!rest.isEmpty()) {
        rest = checkStretch(rest);
      }
    }
    rows.eachChunk(
        new KeyRange(TallyKeys.resultsStart(), TallyKeys.resultsEnd()), this::checkResults);
  }

  /** Checks that results are of tallies which keep them. */
  private void checkResults(List<Row> chunk) {
    long sound = 0;
    for (Row row : chunk) {
      if (!TallyKeys.isResultKey(row.key())) {
        findings.problem(row.key(), "the row is no result of a job");
        continue;
      }
      long number = TallyKeys.resultNumber(row.key());
      if (number != sound && !keepsResults(number)) {
        findings.problem(row.key(), "no tally keeps the result: tally=" + number);
      } else {
        sound = number;
      }
    }
  }

  private boolean keepsResults(long number) {
    byte[] key = TallyKeys.key(number);
    try {
      TallyRecord tally = rows.get(key, TallyRecord::decode);
      return tally != null && tally.is(TallyRecord.KEEPS_RESULTS);
    } catch (CorruptDataException e) {
      // What is wrong with the row itself is told with the other rows of tables.
      return true;
    }
  }

  /** Checks the first tallies of the range, and returns the part of the range behind them. */
  private KeyRange checkStretch(KeyRange range) {
    TreeMap<Long, Counts> tallies = new TreeMap<>();
    KeyRange stretch = new KeyRange(range.startInclusive(), readRows(tallies, range));
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      if (!StateTraits.in(keyspace).isFinal()) {
        rows.eachChunk(
            KeyRange.of(keyspace),
            chunk -> chunk.forEach(row -> count(tallies, stretch, keyspace, row)));
      }
    }
    KeyRange all = new KeyRange(TallyKeys.start(), TallyKeys.end());
    rows.eachChunk(all, chunk -> chunk.forEach(row -> countInner(tallies, stretch, row)));
    tallies.forEach(this::check);
    return range.from(stretch.endExclusive());
  }

  /** Reads the rows of as many tallies as a stretch has, and returns the end of the stretch. */
  private byte[] readRows(TreeMap<Long, Counts> tallies, KeyRange range) {
    KeyRange rest = range;
    List<Row> chunk = rows.chunk(rest, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        if (tallies.size() == COUNT_MAX) {
          return row.key();
        }
        if (TallyKeys.isKey(row.key())) {
          Counts counts = of(tallies, TallyKeys.number(row.key()));
          counts.hasRow = true;
          // What is wrong with the row itself is told with the other rows of tables.
          boolean isSound = RowCheck.flaw(row.key(), row.value()) == null;
          counts.stored = isSound ? TallyRecord.decode(row.key(), row.value()) : null;
        }
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = rows.chunk(rest, Row.CHUNK_ROWS_MAX);
    }
    return range.endExclusive();
  }

  private static Counts of(TreeMap<Long, Counts> tallies, long number) {
    return tallies.computeIfAbsent(number, missed -> new Counts());
  }

  private void count(TreeMap<Long, Counts> tallies, KeyRange stretch, Keyspace keyspace, Row row) {
    if (RowCheck.flaw(row.key(), row.value()) != null) {
      return;
    }
    JobRecord job = JobRecord.decode(row.key(), row.value());
    if (keyspace == Keyspace.WAITING && TallyKeys.isSignal(WaitingKeys.signal(row.key()))) {
      countWaiting(tallies, stretch, row, job);
    }
    long tally = job.tally();
    if (tally != 0 && stretch.contains(TallyKeys.key(tally))) {
      Counts counts = of(tallies, tally);
      if (StateTraits.in(keyspace).isEnd()) {
        counts.dead++;
      } else {
        counts.left++;
      }
    }
  }

  /** Counts a tally that is one job of another, which counts it as it says itself. */
  private static void countInner(TreeMap<Long, Counts> tallies, KeyRange stretch, Row row) {
    if (!TallyKeys.isKey(row.key()) || RowCheck.flaw(row.key(), row.value()) != null) {
      return;
    }
    TallyRecord inner = TallyRecord.decode(row.key(), row.value());
    if (inner.outer() != 0 && stretch.contains(TallyKeys.key(inner.outer()))) {
      Counts counts = of(tallies, inner.outer());
      counts.left += inner.countedAs() == Count.LEFT ? 1 : 0;
      counts.dead += inner.countedAs() == Count.DEAD ? 1 : 0;
    }
  }

  private void countWaiting(
      TreeMap<Long, Counts> tallies, KeyRange stretch, Row row, JobRecord job) {
    long tally = TallyKeys.ofSignal(WaitingKeys.signal(row.key()));
    if (!stretch.contains(TallyKeys.key(tally))) {
      return;
    }
    try {
      Condition condition = Condition.of(job.tallyCondition());
      of(tallies, tally)
          .waiting
          .add(new Waiter(WaitingKeys.queue(row.key()), job.birth(), condition));
    } catch (IllegalArgumentException e) {
      findings.problem(row.key(), "the job waits for a tally: " + e.getMessage());
    }
  }

  private void check(long number, Counts counts) {
    byte[] key = TallyKeys.key(number);
    TallyRecord stored = counts.stored;
    if (!counts.hasRow) {
      findings.problem(
          key, "no row tells of the tally: left=" + counts.left + ", dead=" + counts.dead);
      findings.missing(key);
    }
    if (stored != null) {
      differ(key, Count.LEFT, stored, counts.left);
      differ(key, Count.DEAD, stored, counts.dead);
      checkEnd(key, stored);
      counts.waiting.forEach(waiter -> checkWaiting(number, stored, waiter));
    }
  }

  private void checkEnd(byte[] key, TallyRecord stored) {
    boolean isOver = stored.is(TallyRecord.SEALED) && stored.count(Count.LEFT) == 0;
    if (isOver != (stored.overSinceMs() != 0)) {
      findings.problem(
          key, "the tally is " + (isOver ? "over and does not say so" : "not over and says it is"));
    }
    if (stored.outer() != 0
        && stored.countedAs() != stored.asOne()
        && !isDue(TallyKeys.number(key))) {
      findings.problem(
          key,
          "the tally's outer one counts it as it was before: as="
              + stored.countedAs()
              + ", is="
              + stored.asOne());
    }
    if (stored.removalMs() != 0
        && !rows.has(TallyKeys.dueKey(stored.removalMs(), TallyKeys.number(key)))) {
      findings.problem(key, "no row says that the tally is to be removed");
    }
  }

  /** Checks that a job may wait as it does: a due row says that it has yet to hear of the end. */
  private void checkWaiting(long number, TallyRecord tally, Waiter waiter) {
    byte[] key = WaitingKeys.key(waiter.queue(), TallyKeys.signal(number), waiter.birth());
    if (!tally.waiters().contains(waiter)) {
      findings.problem(key, "the tally does not name the job that waits for it: tally=" + number);
    }
    boolean isOver = tally.overSinceMs() != 0;
    if (isOver && waiter.condition().holds(tally) && !isDue(number)) {
      findings.problem(
          key, "the job waits for what is so: tally=" + number + ", for=" + waiter.condition());
    }
  }

  private boolean isDue(long number) {
    boolean[] isDue = {false};
    rows.eachChunk(
        new KeyRange(TallyKeys.dueStart(), TallyKeys.dueEnd()),
        chunk ->
            chunk.forEach(
                row ->
                    isDue[0] |=
                        TallyKeys.isDueKey(row.key()) && TallyKeys.dueNumber(row.key()) == number));
    return isDue[0];
  }

  private void differ(byte[] key, Count count, TallyRecord stored, long counted) {
    if (stored.count(count) != counted) {
      findings.problem(
          key,
          "the tally differs from a recount: what="
              + count
              + ", stored="
              + stored.count(count)
              + ", counted="
              + counted);
    }
  }
}
