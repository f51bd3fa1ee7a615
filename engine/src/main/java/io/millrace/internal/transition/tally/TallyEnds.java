package io.millrace.internal.transition.tally;

import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyRecord.Waiter;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TallyEntry;
import io.millrace.internal.state.TallyTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.Waits;
import io.millrace.internal.transition.queue.Queues;
import io.millrace.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of tallies, and what comes after them.
 *
 * <p>A tally is over when it is sealed and none of its jobs is left. Then the jobs go on that wait
 * for that, within the same batch, so that no commit has a tally that is over and a job that waits
 * for its end. It goes on if a dead letter of it is brought back. A tally that is over without dead
 * letters is final: jobs that wait for what will never be so are cancelled, and the time begins for
 * which the tally is kept.
 *
 * <p>One call may end thousands of tallies. What the batch has no room for is noted in a row of
 * {@link TallyKeys#dueKey}, and {@link LookAtDue} goes on with it.
 */
public final class TallyEnds {

  /** The cost of a job that goes on, or is cancelled, and of the row that says when to look. */
  private static final Cost EACH = Cost.MOVE_OR_END.plus(Cost.COUNTS).plus(Cost.ENGINE_HAND_ON);

  private static final Logger LOG = LoggerFactory.getLogger(TallyEnds.class);

  /** The time for which a job is left alone that the store cannot read. */
  private static final long UNREADABLE_MS = 60_000;

  private TallyEnds() {}

  /**
   * Looks at the tallies whose counts have changed since this was last called. Jobs that go on are
   * as durable as due work.
   */
  public static void all(OpenBatch batch, SubmitTime now) {
    TallyTable tallies = batch.state().tallies();
    while (tallies.hasTouched()) {
      for (TallyEntry entry : tallies.takeTouched()) {
        Tallies.readOrReport(batch, entry);
        if (entry.isOver() != entry.saysOver() || entry.isOver()) {
          batch.beginUpkeep(now, batch.state().rules().durability());
          batch.aside(() -> look(batch, entry));
        }
      }
    }
  }

  /** Looks whether the tally, whose row was read, is over, and sees to what comes after it. */
  static void look(OpenBatch batch, TallyEntry entry) {
    TallyRecord tally = entry.record();
    if (tally == null) {
      return;
    }
    if (!entry.isOver()) {
      TallyRecord goingOn = entry.saysOver() ? tally.over(0) : tally;
      set(batch, entry, tally, countedInOuter(batch, entry.number(), goingOn));
      return;
    }
    TallyRecord over = entry.saysOver() ? tally : begun(batch, entry.number(), tally);
    boolean isFinal = over.count(Count.DEAD) == 0;
    List<Waiter> waiting = goOn(batch, over, entry.number(), isFinal);
    TallyRecord after = waiting.size() == over.waiters().size() ? over : over.awaitedBy(waiting);
    if (isFinal && waiting.isEmpty() && over.removalMs() == 0) {
      long removalMs = batch.context().steadyMs() + over.retentionMs();
      after = after.removedAt(removalMs);
      putDue(batch, removalMs, entry.number());
    }
    set(batch, entry, tally, countedInOuter(batch, entry.number(), after));
  }

  /** Returns the tally as it is counted by its outer one, which is told if that is new. */
  private static TallyRecord countedInOuter(OpenBatch batch, long number, TallyRecord tally) {
    Count count = tally.asOne();
    if (tally.outer() == 0 || count == tally.countedAs()) {
      return tally;
    }
    if (!batch.hasRoomToSpare(Cost.TALLY)) {
      putDue(batch, batch.context().steadyMs(), number);
      return tally;
    }
    batch.state().tallies().add(tally.outer(), tally.countedAs(), -1);
    batch.state().tallies().add(tally.outer(), count, 1);
    return tally.countedAs(count);
  }

  /** Returns the tally as it is over from now on, and tells those who wait for that. */
  private static TallyRecord begun(OpenBatch batch, long number, TallyRecord tally) {
    TallyRecord over = tally.over(batch.context().nowMs());
    batch.state().totals().lives().tallyOver(number, () -> over.encode(TallyKeys.key(number)));
    return over;
  }

  private static void set(
      OpenBatch batch, TallyEntry entry, TallyRecord before, TallyRecord after) {
    if (after != before) {
      batch.state().tallies().store(entry, after);
    }
  }

  /** Lets jobs go on for which the condition holds; returns those that wait after that. */
  private static List<Waiter> goOn(
      OpenBatch batch, TallyRecord tally, long number, boolean isFinal) {
    if (tally.waiters().isEmpty()) {
      return List.of();
    }
    List<Waiter> waiting = new ArrayList<>();
    boolean isLeft = false;
    for (Waiter waiter : tally.waiters()) {
      boolean holds = waiter.condition().holds(tally);
      if (!holds && !isFinal) {
        waiting.add(waiter);
      } else if (!batch.hasRoomToSpare(EACH)) {
        waiting.add(waiter);
        isLeft = true;
      } else if (!hasEnded(batch, waiter, number, holds)) {
        waiting.add(waiter);
        putDue(batch, batch.context().steadyMs() + UNREADABLE_MS, number);
      }
    }
    if (isLeft) {
      putDue(batch, batch.context().steadyMs(), number);
    }
    return waiting;
  }

  /**
   * Lets a job go on that waits for the tally, or cancels it; it may wait no longer by now. Returns
   * false if the store cannot read it, so that nothing else waits.
   */
  private static boolean hasEnded(OpenBatch batch, Waiter waiter, long number, boolean goesOn) {
    QueueState queue = Queues.numbered(batch, waiter.queue());
    if (queue == null) {
      return true;
    }
    byte[] key = Tallies.waitingKey(number, waiter);
    byte[] value;
    try {
      value = batch.get(key);
    } catch (StoreException e) {
      LOG.warn("a job that comes after a batch cannot go on yet: job={}", waiter.birth(), e);
      return false;
    }
    JobRecord job = value == null ? null : Records.decodeOrReport(batch, key, value);
    if (job == null) {
      return true;
    }
    Slots.know(batch, queue, List.of(job));
    if (goesOn) {
      Waits.wake(batch, queue, key, Waits.tallied(job));
    } else {
      Moves.end(batch, queue, key, job, Total.CANCELLED);
    }
    return true;
  }

  /** Puts the row that says that the tally is to be looked at when this time has come. */
  static void putDue(OpenBatch batch, long steadyMs, long number) {
    byte[] key = TallyKeys.dueKey(steadyMs, number);
    batch.put(key, TallyKeys.encodeDue(key));
    batch.state().tallies().noteDue(steadyMs);
  }
}
