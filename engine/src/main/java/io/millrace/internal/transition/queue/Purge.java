package io.millrace.internal.transition.queue;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.SlotRecount;
import io.millrace.internal.transition.move.Waits;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of the removal of a queue's jobs of one state: of those that were born before the first
 * step. The answer tells how many were removed, and where the next step begins.
 *
 * <p>Births tell which jobs were there before: they are given when a job joins, except for those
 * that transactions were told in advance. Once a purge has taken its first step, and needs others,
 * no job joins any queue with a birth from before it.
 */
public final class Purge implements Transition<Purge.Progress> {

  /** The most jobs of one step. */
  private static final int STEP = OpenBatch.Context.STEP_ROWS_LEAST;

  private final QueueName queueName;
  private final JobState state;
  private final @Nullable Next begin;

  /**
   * The result of a step.
   *
   * @param removedCount jobs that were removed
   * @param next where the next step begins; empty if that was all
   */
  public record Progress(int removedCount, Optional<Next> next) {}

  /**
   * The place where a step begins.
   *
   * @param queue the number of the queue: another one of the same name is left alone
   * @param from the first key
   * @param bornBefore jobs of this birth sequence or a later one stay
   * @param kept how many jobs before the key stay
   */
  public record Next(int queue, byte[] from, long bornBefore, int kept) {}

  /**
   * A range of keys for a step, and the place where the step after it begins when the range is
   * done.
   */
  private record Stretch(byte[] start, byte[] end, byte @Nullable [] after) {}

  /**
   * Creates a step.
   *
   * @param begin where it begins; null for the first step
   */
  public Purge(QueueName queueName, JobState state, @Nullable Next begin) {
    this.queueName = queueName;
    this.state = state;
    this.begin = begin;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return each().times(STEP);
  }

  /** Returns the cost of the end of one job. */
  private Cost each() {
    return state == JobState.BLOCKED ? Cost.END.plus(Cost.TURN) : Cost.END;
  }

  /**
   * Returns the cost of the end of one job, with the jobs that get the slots of those that are
   * purged.
   */
  private Cost eachWithNext(OpenBatch batch, QueueState queue) {
    if (state == JobState.READY && SlotRecount.isInUse(batch, SlotKeys.ENGINE)) {
      return each().plus(Cost.SLOT).plus(Cost.ENGINE_HAND_ON);
    }
    boolean mayHoldSlots = SlotKeys.OF_HOLDERS.contains(Keyspace.of(state));
    boolean isHandingOn = mayHoldSlots && queue.count(JobState.BLOCKED) > 0;
    return isHandingOn ? each().plus(Cost.SLOT).plus(Cost.HAND_ON) : each();
  }

  @Override
  public Progress apply(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    if (!queue.exists() || (begin != null && begin.queue() != queue.number())) {
      return new Progress(0, Optional.empty());
    }
    Next from =
        begin != null
            ? begin
            : new Next(queue.number(), start(queue.number()), batch.state().nextSequence(), 0);
    Stretch stretch = stretch(queue, from);
    if (stretch == null) {
      return new Progress(0, Optional.empty());
    }
    int countMax = Math.min(STEP, StepRows.countWithRoom(batch, eachWithNext(batch, queue)));
    StepRows step = StepRows.read(batch, stretch.start(), stretch.end(), countMax);
    int removed = 0;
    int kept = from.kept();
    for (int i = 0; i < step.rows().size(); i++) {
      Row row = step.rows().get(i);
      JobRecord job = Records.decodeOrReport(batch, row.key(), row.value());
      if (job == null || isLater(row, job, from.bornBefore()) || isWoken(batch, queue, row, job)) {
        kept++;
      } else if (!batch.state().leases().isLeased(job.birth())) {
        if (i > 0 && !batch.hasRoomFor(eachWithNext(batch, queue))) {
          // The signals that were kept for those before took the room.
          step.endBefore(i);
          break;
        }
        Moves.end(batch, queue, row.key(), job, Total.PURGED);
        removed++;
      }
    }
    if (kept == 0) {
      forgetPassed(batch, queue, step);
    }
    Optional<Next> next = next(from, stretch, step, kept);
    if (next.isPresent()) {
      batch.state().outdateBirthsBefore(from.bornBefore());
    }
    return new Progress(removed, next);
  }

  /**
   * Tells whether the job was born after the first step, or was handed the slot of a removed job.
   */
  private static boolean isLater(Row row, JobRecord job, long bornBefore) {
    boolean isHandedOn =
        job.concurrencyKey() != null
            && Keyspace.ofKey(row.key()) == Keyspace.READY
            && ReadyKeys.sequence(row.key()) >= bornBefore;
    return isHandedOn || job.birth() >= bornBefore;
  }

  /**
   * Tells whether a broadcast has woken the job, as everybody sees it, though it waits in the
   * store.
   */
  private static boolean isWoken(OpenBatch batch, QueueState queue, Row row, JobRecord job) {
    return Keyspace.ofKey(row.key()) == Keyspace.WAITING
        && Waits.broadcast(batch, queue, row.key(), job) != null;
  }

  /**
   * Returns where the next step begins. In a line of another priority no job has been passed over.
   */
  private static Optional<Next> next(Next from, Stretch stretch, StepRows step, int kept) {
    byte[] inside = step.next();
    byte[] behind = stretch.after();
    if (inside != null) {
      return Optional.of(new Next(from.queue(), inside, from.bornBefore(), kept));
    }
    return behind == null
        ? Optional.empty()
        : Optional.of(new Next(from.queue(), behind, from.bornBefore(), 0));
  }

  private @Nullable Stretch stretch(QueueState queue, Next from) {
    if (state == JobState.READY) {
      return line(queue, from.from());
    }
    byte[] start = from.from();
    if (state == JobState.DELAYED && from.kept() == 0) {
      if (queue.nextDelayed().earliestMs() == QueueState.NEVER) {
        return null;
      }
      start = queue.nextDelayed().firstKey(queue.number(), DelayClock.BOTH);
    }
    return new Stretch(start, Keyspace.of(state).queueEnd(queue.number()), null);
  }

  /**
   * Returns the rest of the first line that ends behind the key, from the line's head on; null if
   * there is none.
   */
  private static @Nullable Stretch line(QueueState queue, byte[] from) {
    for (ReadyWindow window : queue.windows()) {
      byte[] end = ReadyKeys.priorityEnd(queue.number(), window.priority());
      if (window.readyCount() > 0 && Arrays.compareUnsigned(from, end) < 0) {
        byte[] head = ReadyKeys.key(queue.number(), window.priority(), window.lowestUnleased());
        byte[] start = Arrays.compareUnsigned(from, head) < 0 ? head : from;
        return new Stretch(start, end, end);
      }
    }
    return null;
  }

  /** Lets the next reads begin behind the step, for everything from the head on is gone. */
  private void forgetPassed(OpenBatch batch, QueueState queue, StepRows step) {
    List<Row> rows = step.rows();
    byte[] next = step.next();
    if (state == JobState.DELAYED && next != null) {
      for (DelayClock clock : DelayClock.values()) {
        long timeMs = DelayedKeys.visibleAtMs(next);
        long birth = DelayedKeys.birth(next);
        if (!queue.nextDelayed().isAfter(clock, timeMs, birth)) {
          batch.state().setNextDelayed(queue, clock, timeMs, birth);
        }
      }
    } else if (state == JobState.READY && !rows.isEmpty()) {
      byte[] last = rows.get(rows.size() - 1).key();
      ReadyWindow window = queue.window(ReadyKeys.priority(last), batch.state().nextSequence());
      if (window.readyCount() == 0) {
        window.readUpTo(batch.state().nextSequence() - 1, true);
      } else if (window.size() == 0) {
        window.readUpTo(ReadyKeys.sequence(last), false);
      }
    }
  }

  /** Returns the least key of the queue's jobs in the state. */
  private byte[] start(int queue) {
    if (state == JobState.LEASED) {
      throw new IllegalStateException("leased jobs are not purged");
    }
    return Keyspace.of(state).queueStart(queue);
  }
}
