package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyCounts;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyRecord.Waiter;
import io.millrace.internal.format.WaitingKeys;
import java.util.List;

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

  private static final KeyRange TALLIES = new KeyRange(TallyKeys.start(), TallyKeys.end());

  private final ViewRows rows;
  private final Findings findings;

  /** Creates the check of all tallies that the rows have, which are of one view. */
  TallyCheck(ViewRows rows, Findings findings) {
    this.rows = rows;
    this.findings = findings;
  }

  /**
   * Checks the tallies, unless they are about to be counted anew; costs nothing where there are
   * none, and no job names one.
   */
  void run() {
    KeyRange recounts = new KeyRange(TallyKeys.dueStart(), TallyKeys.recountEnd());
    if (!rows.chunk(recounts, 1).isEmpty()) {
      return;
    }
    boolean hasAny = findings.hasTallies() || !rows.chunk(TALLIES, 1).isEmpty();
    long from = hasAny ? 0 : Long.MAX_VALUE;
    while (from < Long.MAX_VALUE) {
      TallyCounts counts = new TallyCounts(from);
      count(counts);
      counts.all().forEach(this::check);
      from = counts.end();
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

  private void count(TallyCounts counts) {
    rows.eachChunk(TALLIES, chunk -> chunk.forEach(row -> countRow(counts, row)));
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      if (!StateTraits.in(keyspace).isFinal()) {
        rows.eachChunk(KeyRange.of(keyspace), chunk -> chunk.forEach(row -> countJob(counts, row)));
      }
    }
  }

  private static void countRow(TallyCounts counts, Row row) {
    if (TallyKeys.isKey(row.key())) {
      // What is wrong with the row itself is told with the other rows of tables.
      boolean isSound = RowCheck.flaw(row.key(), row.value()) == null;
      TallyRecord record = isSound ? TallyRecord.decode(row.key(), row.value()) : null;
      counts.addRow(TallyKeys.number(row.key()), record);
    }
  }

  private void countJob(TallyCounts counts, Row row) {
    if (RowCheck.flaw(row.key(), row.value()) != null) {
      return;
    }
    try {
      counts.addJob(row.key(), JobRecord.decode(row.key(), row.value()));
    } catch (IllegalArgumentException e) {
      findings.problem(row.key(), "the job waits for a tally: " + e.getMessage());
    }
  }

  private void check(long number, TallyCounts.Counted counts) {
    byte[] key = TallyKeys.key(number);
    TallyRecord stored = counts.stored();
    long before = findings.problemCount();
    if (!counts.hasRow()) {
      findings.problem(
          key, "no row tells of the tally: left=" + counts.left() + ", dead=" + counts.dead());
    }
    if (stored != null) {
      differ(key, Count.LEFT, stored, counts.left());
      differ(key, Count.DEAD, stored, counts.dead());
      checkEnd(key, stored);
      counts.waiting().forEach(waiter -> checkWaiting(number, stored, waiter));
    }
    if (findings.problemCount() > before) {
      // An engine counts anew.
      findings.missing(key);
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
