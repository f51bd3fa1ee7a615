package io.millrace.internal.transition.move;

import io.millrace.api.JobState;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.AttemptEnd;
import io.millrace.internal.state.Broadcasts;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Planned;
import java.util.Objects;

/**
 * The arrows of the state picture: a job leaves one state and enters another, and its record, the
 * rows that it owns beside that, its slot, the windows and the counts go together. Nothing here can
 * fail, but for the read of a slot that was not {@link Slots#know read before}.
 */
public final class Moves {

  private Moves() {}

  /** Puts a new job into its first state. */
  public static void begin(OpenBatch batch, QueueState queue, JobRecord job, Destination to) {
    Tallies.begin(batch, queue, job);
    to.enter(batch, new Destination.At(queue, false, Destination.SlotOnTheWay.NONE), job);
  }

  /**
   * Moves a job that is not leased, with its record at the key, to another state, and returns the
   * state in which it is then. A dead job lives again: its retention no longer ends it, and it
   * takes its unique key, which must be free. A job that waited for a signal waits no longer: its
   * deadline no longer ends the wait.
   */
  public static JobState move(
      OpenBatch batch, QueueState queue, byte[] key, JobRecord job, Destination to) {
    leave(batch, queue, key, job);
    StateTraits from = StateTraits.at(key);
    Tallies.move(batch, job.tally(), from, to);
    Destination.SlotOnTheWay slot = slotOnTheWay(queue, from, job, to);
    JobRecord moved = moved(from, job);
    boolean keepsTimer = from.timer() == to.timer();
    if (!keepsTimer) {
      Holdings.of(queue.number(), key, job).endTimer(batch.writes());
    }
    if (from.isEnd() && moved.holdsUniqueKey(Keyspace.READY)) {
      UniqueHolds.take(batch, queue.number(), moved);
    }
    if (from.state() == JobState.WAITING) {
      countWoken(batch, queue, WaitingKeys.signal(key), job);
    }
    if (!from.isEnd() && to.isEnd()) {
      Holdings.of(queue.number(), key, job).freeKey(batch.writes());
    }
    return to.enter(batch, new Destination.At(queue, keepsTimer, slot), moved);
  }

  private static void countWoken(OpenBatch batch, QueueState queue, byte[] signal, JobRecord job) {
    Broadcasts broadcasts = batch.state().broadcasts();
    if (!broadcasts.isEmpty()) {
      batch.onUndo(broadcasts.countWoken(queue.number(), signal, job.waitSequence()));
    }
  }

  /** Returns what the job will be when it has left the state and entered the other. */
  public static Planned.After after(
      OpenBatch batch, QueueState queue, JobState from, JobRecord job, Destination to) {
    StateTraits left = StateTraits.of(from);
    return to.after(batch, queue, moved(left, job), slotOnTheWay(queue, left, job, to));
  }

  /**
   * Returns whether the job takes its slot along. Where the order of keys is strict, a job that
   * holds a slot keeps it wherever it goes on. A job that was to keep its slot while it waited has
   * it when it is ready, whatever the setting says by then.
   */
  private static Destination.SlotOnTheWay slotOnTheWay(
      QueueState queue, StateTraits from, JobRecord job, Destination to) {
    boolean isOfQueue = job.concurrencyKey() != null && job.engineMost() == 0;
    boolean isKept =
        queue.settings().keyOrder() == KeyOrder.STRICT || (job.holdsSlot() && to.isLine());
    return job.isSlotHolder(from) && isOfQueue && isKept
        ? Destination.SlotOnTheWay.KEPT
        : Destination.SlotOnTheWay.NONE;
  }

  /** Returns the record of a job that leaves the state. */
  public static JobRecord moved(JobState from, JobRecord job) {
    return moved(StateTraits.of(from), job);
  }

  private static JobRecord moved(StateTraits from, JobRecord job) {
    return from.isEnd()
        ? UniqueHolds.afresh(job.toBuilder().set(JobField.EXPIRE_AT_MS, 0).build())
        : job;
  }

  /**
   * Ends a lease and moves its job to another state; if the attempt has counted, it is added to the
   * job's history. Returns the state in which the job is then.
   */
  public static JobState move(
      OpenBatch batch, QueueState queue, LeaseEntry lease, JobRecord job, Destination to) {
    JobRecord started = UniqueHolds.started(batch, lease, job);
    Attempts.addToHistory(batch, lease, job);
    Tallies.move(batch, lease.tally(), StateTraits.of(JobState.LEASED), to);
    leave(batch, queue, lease);
    if (to.isEnd()) {
      lease.holdings().freeKey(batch.writes());
    }
    if (to.isFinal()) {
      lease.holdings().dropInbox(batch.writes());
      dropInboxPayloads(batch, lease.holdings());
    }
    Destination.SlotOnTheWay slot =
        slotOnTheWay(queue, StateTraits.of(JobState.LEASED), started, to);
    return to.enter(batch, new Destination.At(queue, false, slot), started);
  }

  /**
   * Ends a lease and makes its job ready again at its old place, where its record has stayed. The
   * LEASE row is deleted even if there is none: by that, a claim with this batch that reads the
   * job's record from the store knows that its answer must wait for the batch.
   */
  public static void handBack(OpenBatch batch, QueueState queue, LeaseEntry lease, JobRecord job) {
    batch.delete(LeaseKeys.key(lease.queue(), lease.birth()));
    endLease(batch, queue, lease);
    JobRecord back = UniqueHolds.started(batch, lease, job);
    if (back != job) {
      batch.put(lease.readyKey(), back.encode(lease.readyKey()));
    }
    queue
        .window(job.priority(), batch.state().nextSequence())
        .putBack(new ReadyJob(lease.readySequence(), back, batch.writes().number(), batch.level()));
    Destination.countReady(batch, queue);
  }

  /** Removes a job that is not leased, with its record at the key, and counts it in the total. */
  public static void end(
      OpenBatch batch, QueueState queue, byte[] key, JobRecord job, Total total) {
    leave(batch, queue, key, job);
    Tallies.end(batch, job.tally(), StateTraits.at(key), total);
    Holdings holdings = Holdings.of(queue.number(), key, job);
    holdings.ended(batch.writes());
    dropInboxPayloads(batch, holdings);
    queue.countRemoved(total, job);
  }

  /** Ends a lease and removes its job, and counts that in the total. */
  public static void end(
      OpenBatch batch, QueueState queue, LeaseEntry lease, Total total, AttemptEnd end) {
    leave(batch, queue, lease);
    Tallies.end(batch, lease.tally(), StateTraits.of(JobState.LEASED), total);
    lease.holdings().ended(batch.writes());
    dropInboxPayloads(batch, lease.holdings());
    queue.countEnd(total, lease, end, batch.nowMs());
  }

  /**
   * Deletes the payloads of the job's signals, aside: few jobs have some, and if each end declared
   * them, batches would have room for few ends.
   */
  private static void dropInboxPayloads(OpenBatch batch, Holdings holdings) {
    if (holdings.inboxSlots() > 0) {
      batch.aside(() -> holdings.dropInboxPayloads(batch.writes()));
    }
  }

  /**
   * Ends a lease that is to end without the job being done, and removes the job, if the lease has a
   * cancel mark. Returns false if it has none; then the lease goes on.
   */
  public static boolean isTakenByCancel(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    if (!batch.planned().isCancelRequested(lease)) {
      return false;
    }
    end(batch, queue, lease, Total.CANCELLED, AttemptEnd.GONE);
    return true;
  }

  /** Ends a lease in memory and in the counts. The caller deletes its row. */
  public static void endLease(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    batch.state().leases().end(lease);
    queue.add(JobState.LEASED, -1);
    batch.state().markChanged(queue);
  }

  private static void leave(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    Slots.giveUp(batch, queue, lease.slot());
    if (lease.hasRow()) {
      batch.delete(LeaseKeys.key(lease.queue(), lease.birth()));
    }
    batch.delete(lease.readyKey());
    endLease(batch, queue, lease);
  }

  private static void leave(OpenBatch batch, QueueState queue, byte[] key, JobRecord job) {
    if (Keyspace.ofKey(key) == Keyspace.READY) {
      Slots.giveUp(batch, queue, Slots.ofJob(queue, job));
      leaveLine(batch, queue, key);
      wakeBarred(batch, queue, job.birth());
    } else {
      if (job.holdsSlot()) {
        Slots.giveUp(batch, queue, Slots.ofJob(queue, job));
      }
      leaveBlocked(batch, queue, key);
      leaveAside(batch, queue, Objects.requireNonNull(Keyspace.ofKey(key).state(), "state"));
    }
    batch.delete(key);
    batch.state().markChanged(queue);
  }

  /** Ends the wait for a slot of the job whose record is at the key, if it is blocked. */
  public static void leaveBlocked(OpenBatch batch, QueueState queue, byte[] key) {
    if (Keyspace.ofKey(key) == Keyspace.BLOCKED) {
      Slots.unblock(batch, queue, key);
    }
  }

  /**
   * Takes a job out of its line. Later changes of the job must be as durable as the one that made
   * it ready.
   */
  private static void leaveLine(OpenBatch batch, QueueState queue, byte[] key) {
    ReadyWindow window = queue.window(ReadyKeys.priority(key), batch.state().nextSequence());
    ReadyJob ready = window.ofSequence(ReadyKeys.sequence(key));
    if (ready != null) {
      batch.raiseLevel(ready.level());
    }
    window.removeSequence(ReadyKeys.sequence(key));
    queue.add(JobState.READY, -1);
  }

  /** Stops counting a job in its state, which is one without a line. */
  public static void leaveAside(OpenBatch batch, QueueState queue, JobState state) {
    queue.add(state, -1);
    if (state == JobState.DELAYED && queue.count(JobState.DELAYED) == 0) {
      for (DelayClock clock : DelayClock.values()) {
        batch.state().setNextDelayed(queue, clock, QueueState.NEVER, 0);
      }
    }
  }

  /**
   * Wakes claims that may have waited for a heavy job, which has left: lighter ones behind it are
   * free.
   */
  public static void wakeBarred(OpenBatch batch, QueueState queue, long birth) {
    if (queue.isAwaited() && queue.passedOver().contains(birth)) {
      batch.wake(queue);
    }
  }
}
