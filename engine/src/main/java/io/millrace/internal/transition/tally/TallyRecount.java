package io.millrace.internal.transition.tally;

import io.millrace.api.Batch;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyCounts;
import io.millrace.internal.format.TallyCounts.Counted;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TallyTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.LostTallies;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step of a recount of tallies, after rows of jobs or of tallies were lost: what records say
 * holds, jobs that are missing count as lost, and a tally that has no row gets one. What comes
 * after a tally that is over by that goes on as ever. The answer tells whether there may be more to
 * do.
 *
 * <p>Rows of {@link TallyKeys#recountKey} say that there is one to do, from a commit that sets a
 * row aside until that is made good, over crashes. However many rows are set aside, there is one
 * recount for all: it begins by looking for damaged rows, has those set aside, and counts when it
 * finds none. So no job is counted as lost that is found damaged later. A step walks over all jobs,
 * counts one stretch of tallies, and changes as many as the batch has room for.
 */
public final class TallyRecount implements Transition<Boolean> {

  private static final Logger LOG = LoggerFactory.getLogger(TallyRecount.class);

  /** The time after which a recount is tried again for which not all could be read. */
  private static final long UNREADABLE_MS = 60_000;

  /** The most damaged rows that are set aside before the walk begins anew. */
  private static final int DAMAGED_COUNT_MAX = 1_000;

  /**
   * The cost of a tally that is put right: its row and that of its outer one, and three that say
   * that one is due, of which one is of the next.
   */
  private static final Cost EACH = Cost.TALLY.times(2).plus(Cost.deletes(3).times(2));

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  /** Counts one row: the step takes the room that there is. */
  @Override
  public Cost cost() {
    return new Cost(1, 2 * RowBytes.KEY);
  }

  @Override
  public Boolean apply(OpenBatch batch) {
    TallyTable tallies = batch.state().tallies();
    List<Long> due = new ArrayList<>();
    try {
      batch.scan(
          TallyKeys.dueStart(),
          TallyKeys.recountEnd(),
          (key, value) -> {
            if (TallyKeys.isDueKey(key)) {
              due.add(TallyKeys.dueNumber(key));
            } else {
              batch.reportCorrupt(key);
            }
            return due.size() < TallyCounts.COUNT_MAX;
          });
      if (due.isEmpty()) {
        tallies.nextRecount(QueueState.NEVER);
      } else if (!isDamagedYet(batch)) {
        recount(batch, due);
      }
    } catch (StoreException e) {
      LOG.warn("batches of jobs cannot be counted anew yet", e);
      tallies.nextRecount(batch.context().steadyMs() + UNREADABLE_MS);
    }
    return !due.isEmpty();
  }

  /** Tells whether damaged rows are still there that the last walk has found. */
  private static boolean isDamagedYet(OpenBatch batch) {
    byte[] key = batch.state().tallies().damagedKey();
    byte[] value = key == null ? null : batch.get(key);
    if (key == null || value == null || RowCheck.flaw(key, value) == null) {
      return false;
    }
    // It may have been forgotten with a batch that was taken back.
    batch.reportCorrupt(key);
    return true;
  }

  private static void recount(OpenBatch batch, List<Long> due) {
    // From here on rows say what memory says.
    batch.aside(() -> Tallies.put(batch));
    TallyCounts counts = new TallyCounts(due.get(0));
    due.forEach(counts::addDue);
    List<byte[]> damaged = count(batch, counts);
    damaged.forEach(batch::reportCorrupt);
    batch.state().tallies().waitFor(damaged.isEmpty() ? null : damaged.get(damaged.size() - 1));
    if (damaged.isEmpty()) {
      batch.aside(() -> correct(batch, due.get(0), counts));
    }
  }

  /** Counts all jobs and tallies; returns the keys of damaged rows, at which it gives up. */
  private static List<byte[]> count(OpenBatch batch, TallyCounts counts) {
    List<byte[]> damaged = new ArrayList<>();
    batch.scan(
        TallyKeys.start(),
        TallyKeys.end(),
        (key, value) -> {
          boolean isSound = RowCheck.flaw(key, value) == null;
          if (!isSound) {
            damaged.add(key);
          } else if (TallyKeys.isKey(key)) {
            counts.addRow(TallyKeys.number(key), TallyRecord.decode(key, value));
          }
          return damaged.size() < DAMAGED_COUNT_MAX;
        });
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      if (!StateTraits.in(keyspace).isFinal()) {
        countJobs(batch, keyspace, counts, damaged);
      }
    }
    return damaged;
  }

  private static void countJobs(
      OpenBatch batch, Keyspace keyspace, TallyCounts counts, List<byte[]> damaged) {
    batch.scan(
        keyspace.start(),
        keyspace.end(),
        (key, value) -> {
          if (RowCheck.flaw(key, value) != null) {
            damaged.add(key);
          } else if (damaged.isEmpty()) {
            countJob(counts, key, JobRecord.decode(key, value));
          }
          return damaged.size() < DAMAGED_COUNT_MAX;
        });
  }

  private static void countJob(TallyCounts counts, byte[] key, JobRecord job) {
    try {
      counts.addJob(key, job);
    } catch (IllegalArgumentException e) {
      LOG.warn("a job waits for a batch of jobs in a way that is not known: job={}", job.birth());
    }
  }

  private static void correct(OpenBatch batch, long from, TallyCounts counts) {
    batch.delete(TallyKeys.recountKey(from));
    boolean isFirst = true;
    for (Map.Entry<Long, Counted> tally : counts.all().entrySet()) {
      long number = tally.getKey();
      if (!isFirst && !batch.hasRoomToSpare(EACH)) {
        LostTallies.recount(batch, number);
        return;
      }
      isFirst &= !correct(batch, number, tally.getValue());
    }
    if (counts.end() < Long.MAX_VALUE) {
      LostTallies.recount(batch, counts.end());
    }
  }

  /** Puts the tally right; returns whether that changed a row. */
  private static boolean correct(OpenBatch batch, long number, Counted counted) {
    TallyTable tallies = batch.state().tallies();
    TallyRecord stored = counted.stored();
    TallyRecord right = right(batch, number, counted);
    boolean isWrong = stored == null || !stored.equals(right) || isToBeLookedAt(counted, right);
    if (isWrong) {
      tallies.begin(number, right);
    }
    byte[] removal = right.removalMs() == 0 ? null : TallyKeys.dueKey(right.removalMs(), number);
    boolean isRemovalLost = removal != null && batch.get(removal) == null;
    if (isRemovalLost) {
      TallyEnds.putDue(batch, right.removalMs(), number);
    }
    if (counted.isDue()) {
      batch.delete(TallyKeys.recountKey(number));
    }
    return isWrong || isRemovalLost || counted.isDue();
  }

  private static TallyRecord right(OpenBatch batch, long number, Counted counted) {
    TallyRecord stored = counted.stored();
    TallyRecord before = stored == null ? anew(batch, number) : stored;
    TallyRecord right = before.recounted(counted.left(), counted.dead());
    boolean areNamed = right.waiters().containsAll(counted.waiting());
    return areNamed ? right : right.awaitedBy(counted.waiting());
  }

  /** Returns a tally without counts, in place of one whose row is lost. */
  private static TallyRecord anew(OpenBatch batch, long number) {
    TallyRecord anew =
        TallyRecord.anew(batch.context().nowMs(), Batch.RETENTION_DEFAULT.toMillis());
    boolean[] hasResults = {false};
    batch.scan(
        TallyKeys.resultsStart(number),
        TallyKeys.resultsEnd(number),
        1,
        (key, value) -> {
          hasResults[0] = true;
          return false;
        });
    return hasResults[0] ? anew.with(TallyRecord.KEEPS_RESULTS) : anew;
  }

  /** Tells whether what follows from the tally's end, or from its going on, may not be done. */
  private static boolean isToBeLookedAt(Counted counted, TallyRecord tally) {
    boolean isOver = tally.is(TallyRecord.SEALED) && tally.count(Count.LEFT) == 0;
    boolean saysOver = tally.overSinceMs() != 0;
    boolean isCounted = tally.outer() == 0 || tally.countedAs() == tally.asOne();
    return isOver != saysOver
        || !isCounted
        || (isOver && counted.waiting().stream().anyMatch(one -> one.condition().holds(tally)));
  }
}
