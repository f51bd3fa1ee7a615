package io.millrace.internal.transition.move;

import io.millrace.api.JobState;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.ReadyKeys;
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
 * The arrows of the state picture: a job leaves one state and enters another, and its record, what
 * it owns beside that, its slot, the windows and the counts go together. Nothing here can fail, but
 * for the read of a slot that nobody has {@link Slots#know read before}.
 */
public final class Moves {

  private Moves() {}

  /** A new job enters its first state. */
  public static void begin(OpenBatch batch, QueueState queue, JobRecord job, To to) {
    to.enter(batch, new To.At(queue, false, To.SlotOnTheWay.NONE), job);
  }

  /**
   * A job that nobody works on, with its record at the key, goes on elsewhere. One that was dead
   * lives again: nothing ends it any more, and it takes its unique key, which must be free. One
   * that waited for a signal waits no longer: no time ends that any more.
   */
  public static JobState move(OpenBatch batch, QueueState queue, byte[] key, JobRecord job, To to) {
    leave(batch, queue, key, job);
    JobState from = Objects.requireNonNull(Keyspace.ofKey(key).state(), "state");
    To.SlotOnTheWay slot = slotOnTheWay(queue, from, job, to);
    JobRecord moved = moved(from, job);
    if (from == JobState.DEAD) {
      Holdings.of(queue.number(), key, job).endTimer(batch.writes());
      if (moved.holdsUniqueKey(Keyspace.READY)) {
        UniqueHolds.take(batch, queue.number(), moved);
      }
    } else if (from == JobState.WAITING) {
      Holdings.of(queue.number(), key, job).endTimer(batch.writes());
      countWoken(batch, queue, WaitingKeys.signal(key), job);
    }
    if (from != JobState.DEAD && to.isEnd()) {
      Holdings.of(queue.number(), key, job).freeKey(batch.writes());
    }
    return to.enter(batch, new To.At(queue, from != JobState.WAITING, slot), moved);
  }

  private static void countWoken(OpenBatch batch, QueueState queue, byte[] signal, JobRecord job) {
    Broadcasts broadcasts = batch.state().broadcasts();
    if (!broadcasts.isEmpty()) {
      batch.onUndo(broadcasts.countWoken(queue.number(), signal, job.waitSequence()));
    }
  }

  /** What the job will be when it has left the state and is there. */
  public static Planned.After after(
      OpenBatch batch, QueueState queue, JobState from, JobRecord job, To to) {
    return to.after(batch, queue, moved(from, job), slotOnTheWay(queue, from, job, to));
  }

  /**
   * Where the order of keys is strict, a job that holds a slot keeps it wherever it goes on; one
   * that was to keep it while it waited has it when it is ready, whatever is said by then.
   */
  private static To.SlotOnTheWay slotOnTheWay(
      QueueState queue, JobState from, JobRecord job, To to) {
    boolean isHolder = from == JobState.READY || from == JobState.LEASED || job.holdsSlot();
    boolean isOfQueue = job.concurrencyKey() != null && job.engineMost() == 0;
    boolean isKept =
        queue.settings().keyOrder() == KeyOrder.STRICT || (job.holdsSlot() && to.isLine());
    return isHolder && isOfQueue && isKept ? To.SlotOnTheWay.KEPT : To.SlotOnTheWay.NONE;
  }

  /** The record of a job that leaves the state. */
  public static JobRecord moved(JobState from, JobRecord job) {
    return from == JobState.DEAD
        ? UniqueHolds.afresh(job.toBuilder().set(JobField.EXPIRE_AT_MS, 0).build())
        : job;
  }

  /**
   * A lease ends, and its job goes on elsewhere; if the attempt has counted, its history says so.
   * Answers the state in which the job is then.
   */
  public static JobState move(
      OpenBatch batch, QueueState queue, LeaseEntry lease, JobRecord job, To to) {
    JobRecord started = UniqueHolds.started(batch, lease, job);
    Attempts.addToHistory(batch, lease, job);
    leave(batch, queue, lease);
    if (to.isEnd()) {
      lease.holdings().freeKey(batch.writes());
    }
    if (to.isFinal()) {
      lease.holdings().dropInbox(batch.writes());
      dropInboxPayloads(batch, lease.holdings());
    }
    To.SlotOnTheWay slot = slotOnTheWay(queue, JobState.LEASED, started, to);
    return to.enter(batch, new To.At(queue, false, slot), started);
  }

  /**
   * A lease ends, and its job is ready again at its old place, where its record has stayed. The row
   * is deleted even if there is none: by that, a claim with this batch that reads the job's record
   * from the store knows that its answer must wait for the batch.
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
    To.countReady(batch, queue);
  }

  /** A job that nobody works on, with its record at the key, is no more; counted in no total. */
  public static void end(OpenBatch batch, QueueState queue, byte[] key, JobRecord job) {
    leave(batch, queue, key, job);
    Holdings holdings = Holdings.of(queue.number(), key, job);
    holdings.ended(batch.writes());
    dropInboxPayloads(batch, holdings);
  }

  /** A lease ends, and its job is no more; counted in no total. */
  public static void end(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    leave(batch, queue, lease);
    lease.holdings().ended(batch.writes());
    dropInboxPayloads(batch, lease.holdings());
  }

  /** Few jobs have some: if each end declared them, batches would have room for few ends. */
  private static void dropInboxPayloads(OpenBatch batch, Holdings holdings) {
    if (holdings.inboxSlots() > 0) {
      batch.aside(() -> holdings.dropInboxPayloads(batch.writes()));
    }
  }

  /**
   * A lease is to end without the job being done: its mark takes the job along. Answers false if it
   * has none; then the lease goes on.
   */
  public static boolean isTakenByCancel(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    if (!batch.planned().isCancelRequested(lease)) {
      return false;
    }
    end(batch, queue, lease);
    queue.countEnd(Total.CANCELLED, lease, AttemptEnd.GONE, batch.nowMs());
    return true;
  }

  /** A lease ends in memory and in the counts. The caller deletes its row. */
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

  /** A job whose record is at the key waits for a slot no longer, if it has. */
  public static void leaveBlocked(OpenBatch batch, QueueState queue, byte[] key) {
    if (Keyspace.ofKey(key) == Keyspace.BLOCKED) {
      Slots.unblock(batch, queue, key);
    }
  }

  /** What happens to the job next must be as durable as what made it ready. */
  private static void leaveLine(OpenBatch batch, QueueState queue, byte[] key) {
    ReadyWindow window = queue.window(ReadyKeys.priority(key), batch.state().nextSequence());
    ReadyJob ready = window.ofSequence(ReadyKeys.sequence(key));
    if (ready != null) {
      batch.raiseLevel(ready.level());
    }
    window.removeSequence(ReadyKeys.sequence(key));
    queue.add(JobState.READY, -1);
  }

  /** A job that is in no line is counted in its state no longer. */
  public static void leaveAside(OpenBatch batch, QueueState queue, JobState state) {
    queue.add(state, -1);
    if (state == JobState.DELAYED && queue.count(JobState.DELAYED) == 0) {
      for (DelayClock clock : DelayClock.values()) {
        batch.state().setNextDelayed(queue, clock, QueueState.NEVER, 0);
      }
    }
  }

  /** Claims may have waited for a heavy job that has left: lighter ones behind it are free. */
  public static void wakeBarred(OpenBatch batch, QueueState queue, long birth) {
    if (queue.isAwaited() && queue.passedOver().contains(birth)) {
      batch.wake(queue);
    }
  }
}
