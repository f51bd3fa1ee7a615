package io.millrace.internal.transition.move;

import io.millrace.api.BatchId;
import io.millrace.api.CorruptDataException;
import io.millrace.api.JobEnd;
import io.millrace.api.Limits;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyRecord.Waiter;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.JobWait;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TallyEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tallies of jobs that are one to their user: how many of them are left, and how the others ended.
 *
 * <p>Whenever a job of a tally begins, ends, dies or lives again, the counts change in memory, and
 * nothing is read for that. The rows of these tallies are read once the change is made, and the
 * batch has one row for each of them at its end. So the counts and what they count are one commit,
 * and many ends of one tally cost one row.
 */
public final class Tallies {

  private Tallies() {}

  /** Wants the row of the tally if it is not in memory; does nothing for 0. */
  public static void declare(WorkingSet state, RowReads reads, long tally) {
    if (tally != 0 && state.tallies().find(tally) == null) {
      reads.wantByKey(TallyKeys.key(tally));
    }
  }

  /**
   * Wants the rows of the tallies with which new jobs have to do, unless these are yet to begin.
   */
  public static void declare(WorkingSet state, RowReads reads, TallyTie tie) {
    if (tie.counted() != null) {
      declare(state, reads, tie.counted().number());
    }
    if (tie.awaited() != null) {
      declare(state, reads, tie.awaited().number());
    }
  }

  /** Reads the row of the tally for which new jobs wait, so that a plan cannot fail. */
  public static void know(OpenBatch batch, TallyTie tie) {
    if (tie.awaited() != null && tie.awaited().number() != 0) {
      record(batch, tie.awaited().number());
    }
  }

  /** Tells whether a new job has to wait for a tally: for one that is over it need not. */
  public static boolean mustWait(OpenBatch batch, TallyTie tie) {
    TallyRef awaited = tie.awaited();
    TallyRecord tally = awaited == null ? null : record(batch, awaited.number());
    Condition condition = tie.condition();
    return tally != null
        && condition != null
        && !(tally.overSinceMs() != 0 && condition.holds(tally));
  }

  /**
   * Notes that a new job of the queue waits for a tally, and returns where it goes.
   *
   * @param tie with which it {@link #mustWait must wait}
   */
  public static Destination await(OpenBatch batch, QueueState queue, JobRecord job, TallyTie tie) {
    TallyRef awaited = Objects.requireNonNull(tie.awaited(), "awaited");
    Condition condition = Objects.requireNonNull(tie.condition(), "condition");
    Waiter waiter = new Waiter(queue.number(), job.birth(), condition);
    await(batch, awaited.number(), waiter, List.of());
    return Destination.waitingFor(awaited.number(), condition);
  }

  /**
   * Notes that a job of the queue waits for a tally.
   *
   * @param number the number of a tally that was read, or has begun
   * @param stale others that wait no longer
   */
  public static void await(OpenBatch batch, long number, Waiter waiter, List<Waiter> stale) {
    TallyEntry entry = batch.state().tallies().of(number);
    TallyRecord tally = Objects.requireNonNull(entry.record(), "a tally that was read");
    List<Waiter> all = new ArrayList<>(tally.waiters());
    all.removeIf(other -> other.birth() == waiter.birth() || stale.contains(other));
    all.add(waiter);
    batch.state().tallies().change(entry, tally.awaitedBy(all));
  }

  /**
   * Returns those that are noted as waiting for the tally and wait no longer, if so many are noted
   * that there is no room for one more.
   *
   * @throws IllegalArgumentException as many wait as may
   */
  public static List<Waiter> roomToWait(OpenBatch batch, long number) {
    TallyRecord tally = record(batch, number);
    List<Waiter> noted = tally == null ? List.of() : tally.waiters();
    int planned = batch.planned().waitingFor(number);
    if (noted.size() + planned < Limits.BATCH_WAITER_COUNT_MAX) {
      return List.of();
    }
    List<Waiter> stale =
        noted.stream().filter(other -> batch.get(waitingKey(number, other)) == null).toList();
    if (noted.size() + planned - stale.size() >= Limits.BATCH_WAITER_COUNT_MAX) {
      throw new IllegalArgumentException(
          "as many jobs wait for the batch as may: most="
              + Limits.BATCH_WAITER_COUNT_MAX
              + ", batch="
              + new BatchId(number)
              + "; let one of them tell the others, by signals or a broadcast");
    }
    return stale;
  }

  /** Returns the key of the job's record as long as it waits for the tally. */
  public static byte[] waitingKey(long number, Waiter waiter) {
    return WaitingKeys.key(waiter.queue(), TallyKeys.signal(number), waiter.birth());
  }

  /**
   * Returns the tally as the group sees it; null if there is none.
   *
   * @throws CorruptDataException its row is damaged; it will be set aside, and made anew
   */
  public static @Nullable TallyRecord record(OpenBatch batch, long tally) {
    TallyEntry entry = batch.state().tallies().of(tally);
    read(batch, entry);
    return entry.record();
  }

  /**
   * Returns what those are told who wait for the tally: its row if it is over, or that it is gone;
   * null if it goes on.
   *
   * @throws CorruptDataException its row is damaged
   */
  public static @Nullable JobEnd<byte[]> ended(OpenBatch batch, long tally) {
    TallyRecord record = record(batch, tally);
    if (record == null) {
      return new JobEnd.Gone<>();
    }
    return record.overSinceMs() == 0
        ? null
        : JobWait.completed(record.encode(TallyKeys.key(tally)));
  }

  /**
   * Tells whether jobs may join the tally: it is there, is not over, and was not cancelled; or will
   * begin or go on by the plans that the call has made so far.
   */
  public static boolean isJoinable(OpenBatch batch, long tally) {
    TallyRecord record = record(batch, tally);
    return record == null
        ? batch.planned().isOpened(tally)
        : (record.overSinceMs() == 0 || batch.planned().goesOn(tally))
            && !record.is(TallyRecord.CANCELLED);
  }

  /** Tells whether the tally keeps the results of its jobs; false for one that is damaged. */
  public static boolean keepsResults(OpenBatch batch, long tally) {
    TallyEntry entry = batch.state().tallies().of(tally);
    readOrReport(batch, entry);
    TallyRecord record = entry.record();
    return record != null && record.is(TallyRecord.KEEPS_RESULTS);
  }

  private static void read(OpenBatch batch, TallyEntry entry) {
    if (!entry.isRead()) {
      byte[] key = TallyKeys.key(entry.number());
      byte[] value = batch.get(key);
      try {
        entry.set(value == null ? null : TallyRecord.decode(key, value));
      } catch (CorruptDataException e) {
        batch.reportCorrupt(key);
        throw e;
      }
    }
  }

  /** Reads the tally's row, if that was not done; one that is damaged is reported, and is none. */
  public static void readOrReport(OpenBatch batch, TallyEntry entry) {
    try {
      read(batch, entry);
    } catch (CorruptDataException e) {
      entry.set(null);
    }
  }

  /** Counts a new job of the queue. */
  static void begin(OpenBatch batch, QueueState queue, JobRecord job) {
    if (job.tally() != 0) {
      batch.state().tallies().addQueue(job.tally(), queue.number());
      add(batch, job.tally(), Count.LEFT, 1);
    }
  }

  /** Counts a job that leaves the state and goes elsewhere; does nothing for the tally 0. */
  static void move(OpenBatch batch, long tally, StateTraits from, Destination to) {
    if (tally != 0 && from.isEnd() != to.isEnd()) {
      Count ended = to.isFinal() ? Count.SUCCEEDED : Count.DEAD;
      change(batch, tally, from.isEnd() ? Count.DEAD : Count.LEFT, to.isEnd() ? ended : Count.LEFT);
    }
  }

  /**
   * Counts a job that was in the state and is no more; does nothing for the tally 0.
   *
   * @param total what the job's end is counted as
   */
  public static void end(OpenBatch batch, long tally, StateTraits from, Total total) {
    if (tally != 0 && !from.isFinal()) {
      change(
          batch,
          tally,
          from.isEnd() ? Count.DEAD : Count.LEFT,
          from.isEnd() ? Count.FAILED : countOf(total));
    }
  }

  private static Count countOf(Total total) {
    return switch (total) {
      case COMPLETED -> Count.SUCCEEDED;
      case CANCELLED -> Count.CANCELLED;
      case DROPPED -> Count.EXPIRED;
      case PURGED -> Count.PURGED;
      case QUARANTINED -> Count.LOST;
      default -> throw new IllegalArgumentException("no end of a job: total=" + total);
    };
  }

  private static void change(OpenBatch batch, long tally, Count from, Count to) {
    add(batch, tally, from, -1);
    add(batch, tally, to, 1);
  }

  private static void add(OpenBatch batch, long tally, Count to, int count) {
    batch.state().tallies().add(tally, to, count);
  }

  /** Puts the rows of all tallies that the batch has changed. */
  public static void put(OpenBatch batch) {
    for (TallyEntry entry : batch.state().tallies().takeChanged()) {
      TallyRecord tally = entry.record();
      entry.markUnchanged();
      if (tally != null) {
        byte[] key = TallyKeys.key(entry.number());
        batch.put(key, tally.encode(key));
      }
    }
  }
}
