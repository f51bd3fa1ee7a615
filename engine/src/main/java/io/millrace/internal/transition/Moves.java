package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import java.time.Duration;
import java.util.Optional;

/**
 * The arrows of the state picture, half by half: a job leaves one state and enters another, and its
 * record, its MOVED row, the windows and the counts go together. Nothing here can fail.
 */
final class Moves {

  private Moves() {}

  /** The job joins the end of its line, with a new ready sequence. */
  static void enterReady(Change change, QueueState queue, JobRecord job) {
    enterReady(change, queue, job, change.nowMs());
  }

  /** The job, ready since the given engine time, joins the end of its line. */
  static void enterReady(Change change, QueueState queue, JobRecord job, long readyAtMs) {
    long sequence = change.state().takeSequence();
    JobRecord ready = job.toBuilder().readyAtMs(readyAtMs).delayBaseMs(0).diedAtMs(0).build();
    byte[] key = ReadyKeys.key(queue.number(), ready.priority(), sequence);
    change.put(key, ready.encode(key));
    putMoved(change, queue, ready.birth(), key);
    joinLine(change, queue, sequence, ready);
  }

  /** A job whose record is at the end of its line is counted there. */
  static void joinLine(Change change, QueueState queue, long sequence, JobRecord job) {
    queue
        .window(job.priority(), sequence)
        .append(new ReadyJob(sequence, job, change.batch().number(), change.level()));
    countReady(change, queue);
  }

  /** A job whose record is still at its place in the line is counted there again. */
  static void rejoinLine(Change change, QueueState queue, long sequence, JobRecord job) {
    queue
        .window(job.priority(), change.state().nextSequence())
        .putBack(new ReadyJob(sequence, job, change.batch().number(), change.level()));
    countReady(change, queue);
  }

  private static void countReady(Change change, QueueState queue) {
    queue.add(JobState.READY, 1);
    change.state().markChanged(queue);
    change.wake(queue);
    if (change.state().isOverBudget()) {
      change.state().makeRoomFor(queue);
    }
  }

  /**
   * The job waits until an instant, or for a length of time: that is kept in steady time.
   *
   * @param baseMs the engine time that a length counts from; 0 for an instant
   * @return the key of its record
   */
  static byte[] enterDelayed(
      Change change, QueueState queue, JobRecord job, long visibleAtMs, long baseMs) {
    DelayClock clock = baseMs == 0 ? DelayClock.ENGINE : DelayClock.STEADY;
    long steadyMs = change.steadyMs();
    long endMs = clock == DelayClock.ENGINE ? visibleAtMs : steadyMs + visibleAtMs - baseMs;
    JobRecord delayed =
        job.toBuilder().delayBaseMs(clock == DelayClock.ENGINE ? 0 : steadyMs).diedAtMs(0).build();
    byte[] key = DelayedKeys.key(queue.number(), endMs, delayed.birth());
    change.put(key, delayed.encode(key));
    putMoved(change, queue, delayed.birth(), key);
    queue.add(JobState.DELAYED, 1);
    if (endMs < queue.nextDelayedMs(clock)) {
      change.state().setNextDelayed(queue, clock, endMs);
    }
    change.state().markChanged(queue);
    return key;
  }

  /** A job that waits and is not leased leaves its place. */
  static void leaveWaiting(Change change, QueueState queue, byte[] key, long birth) {
    switch (Keyspace.ofKey(key)) {
      case READY -> {
        leaveReady(change, queue, key);
        wakeBarred(change, queue, birth);
      }
      case DELAYED -> leaveDelayed(change, queue);
      case BLOCKED -> queue.add(JobState.BLOCKED, -1);
      default -> throw new IllegalStateException("job does not wait: " + Keyspace.ofKey(key));
    }
    change.delete(key);
    change.state().markChanged(queue);
  }

  /** What happens to the job next must be as durable as what made it ready. */
  private static void leaveReady(Change change, QueueState queue, byte[] key) {
    ReadyWindow window = queue.window(ReadyKeys.priority(key), change.state().nextSequence());
    ReadyJob ready = window.ofSequence(ReadyKeys.sequence(key));
    if (ready != null) {
      change.raiseLevel(ready.level());
    }
    window.removeSequence(ReadyKeys.sequence(key));
    queue.add(JobState.READY, -1);
  }

  /** Claims may have waited for a heavy job that has left: lighter ones behind it are free. */
  static void wakeBarred(Change change, QueueState queue, long birth) {
    if (!queue.parkedClaims().isEmpty() && queue.isPassedOver(birth)) {
      change.wake(queue);
    }
  }

  /** A delayed job is counted there no longer. */
  static void leaveDelayed(Change change, QueueState queue) {
    queue.add(JobState.DELAYED, -1);
    if (queue.count(JobState.DELAYED) == 0) {
      change.state().setNextDelayed(queue, DelayClock.ENGINE, QueueState.NEVER);
      change.state().setNextDelayed(queue, DelayClock.STEADY, QueueState.NEVER);
    }
    change.state().markChanged(queue);
  }

  /** The job waits until the time, or joins its line if that has come. */
  static void enterDelayedOrReady(
      Change change, QueueState queue, JobRecord job, long visibleAtMs, long baseMs) {
    if (visibleAtMs > change.nowMs()) {
      enterDelayed(change, queue, job, visibleAtMs, baseMs);
    } else {
      enterReady(change, queue, job);
    }
  }

  /** The job becomes a dead letter. */
  static void enterDead(Change change, QueueState queue, JobRecord job) {
    JobRecord dead =
        job.toBuilder()
            .diedAtMs(change.nowMs())
            .delayBaseMs(0)
            .expireAtMs(retentionEnd(change, queue.record().settings().deadRetention()))
            .build();
    byte[] key = DeadKeys.key(queue.number(), change.nowMs(), dead.birth());
    change.put(key, dead.encode(key));
    putMoved(change, queue, dead.birth(), key);
    JobTimers.put(change, queue.number(), key, dead);
    queue.add(JobState.DEAD, 1);
    queue.countTotal(Total.DIED);
    change.state().markChanged(queue);
  }

  private static long retentionEnd(Change change, Optional<Duration> retention) {
    return retention.map(kept -> change.nowMs() + kept.toMillis()).orElse(0L);
  }

  /** The job is completed and kept for a while. */
  static void enterDone(Change change, QueueState queue, JobRecord job, long retentionMs) {
    JobRecord done = job.toBuilder().expireAtMs(change.nowMs() + retentionMs).build();
    byte[] key = DoneKeys.key(queue.number(), change.nowMs(), done.birth());
    change.put(key, done.encode(key));
    putMoved(change, queue, done.birth(), key);
    JobTimers.put(change, queue.number(), key, done);
    queue.add(JobState.DONE, 1);
    change.state().markChanged(queue);
  }

  /**
   * The lease ends; the record stays where it is. That the job is free again is this batch's doing,
   * and its key in the batch says so, also if there never was a row.
   */
  static void endLease(Change change, QueueState queue, LeaseEntry lease) {
    change.delete(LeaseKeys.key(lease.queue(), lease.birth()));
    countEnd(change, queue, lease);
  }

  /** The lease ends, and the record leaves its line. */
  static void leaveLeased(Change change, QueueState queue, LeaseEntry lease) {
    if (lease.hasRow()) {
      change.delete(LeaseKeys.key(lease.queue(), lease.birth()));
    }
    change.delete(lease.readyKey());
    countEnd(change, queue, lease);
  }

  private static void countEnd(Change change, QueueState queue, LeaseEntry lease) {
    change.state().leases().end(lease);
    queue.add(JobState.LEASED, -1);
    change.state().markChanged(queue);
  }

  /** The rows beside the record go, but for the TIMER row: the job is no more. */
  static void forget(Change change, int queue, JobRecord job, boolean hasMoved) {
    if (hasMoved) {
      change.delete(MovedKeys.key(queue, job.birth()));
    }
    if (job.payload() instanceof Payload.InBlob blob) {
      change.delete(BlobKeys.key(queue, job.birth(), blob.version()));
    }
    History.forget(change, queue, job.birth(), job.earlierAttempts() + job.attempts());
  }

  /** The rows beside the record of a leased job go: the job is no more. */
  static void forget(Change change, LeaseEntry lease) {
    if (lease.hasMoved()) {
      change.delete(MovedKeys.key(lease.queue(), lease.birth()));
    }
    if (lease.blobVersion() != 0) {
      change.delete(BlobKeys.key(lease.queue(), lease.birth(), lease.blobVersion()));
    }
    History.forget(change, lease.queue(), lease.birth(), lease.finishedAttempts());
  }

  /** A job's id leads to where its record is. */
  static void putMoved(Change change, QueueState queue, long birth, byte[] key) {
    byte[] movedKey = MovedKeys.key(queue.number(), birth);
    change.put(movedKey, new MovedRecord(key).encode(movedKey));
  }
}
