package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;

/**
 * The head of an arrow of the state picture: the job's record is put where its new state keeps it,
 * with what the job owns there, and is counted. Nothing here can fail.
 */
@FunctionalInterface
interface To {

  /** The end of the job's line, with a new ready sequence. */
  To READY = (change, at, job) -> enterReady(change, at, job, change.nowMs());

  /** The end of the line of a new job, whose birth is its ready sequence. */
  To LINE_AT_BIRTH = (change, at, job) -> joinLine(change, at, job.birth(), job);

  /** The dead letters. */
  To DEAD = To::enterDead;

  /** Puts the job there. */
  void enter(Change change, At at, JobRecord job);

  /**
   * What is known of the job's way.
   *
   * @param queue the job's queue
   * @param wasWaiting whether it waited before, so that the time it may wait for goes on
   */
  record At(QueueState queue, boolean wasWaiting) {}

  /** The end of the line, for a job that is ready since the given engine time. */
  static To readySince(long readyAtMs) {
    return (change, at, job) -> enterReady(change, at, job, readyAtMs);
  }

  /**
   * Aside until the time, or the end of the line if that has come.
   *
   * @param baseMs the engine time that a length counts from, which is kept in steady time; 0 for an
   *     instant
   */
  static To visibleAt(long visibleAtMs, long baseMs) {
    return (change, at, job) -> {
      if (visibleAtMs > change.nowMs()) {
        enterDelayed(change, at, job, visibleAtMs, baseMs);
      } else {
        enterReady(change, at, job, change.nowMs());
      }
    };
  }

  /** The end of the line that waits for a slot of the concurrency key. */
  static To blocked(byte[] concurrencyKey) {
    return (change, at, job) -> {
      long sequence = change.state().takeSequence();
      int queue = at.queue().number();
      byte[] key = BlockedKeys.key(queue, concurrencyKey, job.priority(), sequence);
      put(change, at, key, job);
      count(change, at, JobState.BLOCKED);
    };
  }

  /** The completed jobs, for a while. */
  static To done(long retentionMs) {
    return (change, at, job) -> {
      JobRecord done = job.toBuilder().expireAtMs(change.nowMs() + retentionMs).build();
      put(change, at, DoneKeys.key(at.queue().number(), change.nowMs(), done.birth()), done);
      count(change, at, JobState.DONE);
    };
  }

  private static void enterReady(Change change, At at, JobRecord job, long readyAtMs) {
    long sequence = change.state().takeSequence();
    JobRecord ready = job.toBuilder().readyAtMs(readyAtMs).delayBaseMs(0).diedAtMs(0).build();
    joinLine(change, at, sequence, ready);
  }

  private static void joinLine(Change change, At at, long sequence, JobRecord job) {
    QueueState queue = at.queue();
    put(change, at, ReadyKeys.key(queue.number(), job.priority(), sequence), job);
    queue
        .window(job.priority(), sequence)
        .append(new ReadyJob(sequence, job, change.batch().number(), change.level()));
    Moves.countReady(change, queue);
  }

  private static void enterDelayed(
      Change change, At at, JobRecord job, long visibleAtMs, long baseMs) {
    DelayClock clock = baseMs == 0 ? DelayClock.ENGINE : DelayClock.STEADY;
    long steadyMs = change.steadyMs();
    long endMs = clock == DelayClock.ENGINE ? visibleAtMs : steadyMs + visibleAtMs - baseMs;
    JobRecord delayed =
        job.toBuilder().delayBaseMs(clock == DelayClock.ENGINE ? 0 : steadyMs).diedAtMs(0).build();
    QueueState queue = at.queue();
    put(change, at, DelayedKeys.key(queue.number(), endMs, delayed.birth()), delayed);
    if (endMs < queue.nextDelayedMs(clock)) {
      change.state().setNextDelayed(queue, clock, endMs);
    }
    count(change, at, JobState.DELAYED);
  }

  private static void enterDead(Change change, At at, JobRecord job) {
    QueueState queue = at.queue();
    long nowMs = change.nowMs();
    long retentionEndMs =
        queue.record().settings().deadRetention().map(kept -> nowMs + kept.toMillis()).orElse(0L);
    JobRecord dead =
        job.toBuilder().diedAtMs(nowMs).delayBaseMs(0).expireAtMs(retentionEndMs).build();
    put(change, at, DeadKeys.key(queue.number(), nowMs, dead.birth()), dead);
    count(change, at, JobState.DEAD);
    queue.countTotal(Total.DIED);
  }

  private static void put(Change change, At at, byte[] key, JobRecord job) {
    change.put(key, job.encode(key));
    Holdings holdings = Holdings.of(at.queue().number(), key, job);
    if (at.wasWaiting()) {
      holdings.moved(change.batch(), key);
    } else {
      holdings.entered(change.batch(), change.state(), key);
    }
  }

  private static void count(Change change, At at, JobState state) {
    at.queue().add(state, 1);
    change.state().markChanged(at.queue());
  }
}
