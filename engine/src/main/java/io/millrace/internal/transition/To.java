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
final class To {

  /** The end of the job's line, with a new ready sequence. */
  static final To READY =
      new To(
          JobState.READY, (change, queue, job) -> readySince(job, change.nowMs()), To::joinBehind);

  /** The end of the line of a new job, whose birth is its ready sequence. */
  static final To LINE_AT_BIRTH =
      new To(
          JobState.READY,
          (change, queue, job) -> job,
          (change, at, job) -> joinLine(change, at, job.birth(), job));

  /** The dead letters. */
  static final To DEAD = new To(JobState.DEAD, To::dead, To::joinDead);

  private final JobState state;
  private final Making making;
  private final Joining joining;

  private To(JobState state, Making making, Joining joining) {
    this.state = state;
    this.making = making;
    this.joining = joining;
  }

  /** What the new state says in the record; of what it has said before, the same again. */
  private interface Making {
    JobRecord of(Change change, QueueState queue, JobRecord job);
  }

  private interface Joining {
    void join(Change change, At at, JobRecord job);
  }

  /**
   * What is known of the job's way.
   *
   * @param queue the job's queue
   * @param wasWaiting whether it waited before, so that the time it may wait for goes on
   */
  record At(QueueState queue, boolean wasWaiting) {}

  /** The end of the line, for a job that is ready since the given engine time. */
  static To readySince(long readyAtMs) {
    return new To(
        JobState.READY, (change, queue, job) -> readySince(job, readyAtMs), To::joinBehind);
  }

  /**
   * Aside until the time, or the end of the line if that has come.
   *
   * @param baseMs the engine time that a length counts from, which is kept in steady time; 0 for an
   *     instant
   */
  static To visibleAt(Change now, long visibleAtMs, long baseMs) {
    if (visibleAtMs <= now.nowMs()) {
      return READY;
    }
    return new To(
        JobState.DELAYED,
        (change, queue, job) -> delayed(job, baseMs == 0 ? 0 : change.steadyMs()),
        (change, at, job) -> joinDelayed(change, at, job, visibleAtMs, baseMs));
  }

  /** The end of the line that waits for a slot of the concurrency key. */
  static To blocked(byte[] concurrencyKey) {
    return new To(
        JobState.BLOCKED,
        (change, queue, job) -> job,
        (change, at, job) -> joinBlocked(change, at, job, concurrencyKey));
  }

  /** The completed jobs, for a while. */
  static To done(long retentionMs) {
    return new To(
        JobState.DONE,
        (change, queue, job) -> job.toBuilder().expireAtMs(change.nowMs() + retentionMs).build(),
        (change, at, job) ->
            join(
                change,
                at,
                JobState.DONE,
                DoneKeys.key(at.queue().number(), change.nowMs(), job.birth()),
                job));
  }

  /** Puts the job there. */
  void enter(Change change, At at, JobRecord job) {
    joining.join(change, at, making.of(change, at.queue(), job));
  }

  /** What the job will be when it is there. */
  Planned.After after(Change change, QueueState queue, JobRecord job) {
    return Planned.After.of(state, making.of(change, queue, job));
  }

  private static JobRecord readySince(JobRecord job, long readyAtMs) {
    return job.toBuilder().readyAtMs(readyAtMs).delayBaseMs(0).diedAtMs(0).build();
  }

  private static JobRecord delayed(JobRecord job, long delayBaseMs) {
    return job.toBuilder().delayBaseMs(delayBaseMs).diedAtMs(0).build();
  }

  private static JobRecord dead(Change change, QueueState queue, JobRecord job) {
    long nowMs = change.nowMs();
    long retentionEndMs =
        queue.record().settings().deadRetention().map(kept -> nowMs + kept.toMillis()).orElse(0L);
    return job.toBuilder().diedAtMs(nowMs).delayBaseMs(0).expireAtMs(retentionEndMs).build();
  }

  private static void joinBehind(Change change, At at, JobRecord job) {
    joinLine(change, at, change.state().takeSequence(), job);
  }

  private static void joinLine(Change change, At at, long sequence, JobRecord job) {
    QueueState queue = at.queue();
    put(change, at, ReadyKeys.key(queue.number(), job.priority(), sequence), job);
    queue
        .window(job.priority(), sequence)
        .append(new ReadyJob(sequence, job, change.batch().number(), change.level()));
    countReady(change, queue);
  }

  private static void joinDelayed(
      Change change, At at, JobRecord job, long visibleAtMs, long baseMs) {
    DelayClock clock = baseMs == 0 ? DelayClock.ENGINE : DelayClock.STEADY;
    long endMs =
        clock == DelayClock.ENGINE ? visibleAtMs : change.steadyMs() + visibleAtMs - baseMs;
    QueueState queue = at.queue();
    if (endMs < queue.nextDelayedMs(clock)) {
      change.state().setNextDelayed(queue, clock, endMs);
    }
    join(change, at, JobState.DELAYED, DelayedKeys.key(queue.number(), endMs, job.birth()), job);
  }

  private static void joinBlocked(Change change, At at, JobRecord job, byte[] concurrencyKey) {
    long sequence = change.state().takeSequence();
    byte[] key = BlockedKeys.key(at.queue().number(), concurrencyKey, job.priority(), sequence);
    join(change, at, JobState.BLOCKED, key, job);
  }

  private static void joinDead(Change change, At at, JobRecord job) {
    join(
        change,
        at,
        JobState.DEAD,
        DeadKeys.key(at.queue().number(), change.nowMs(), job.birth()),
        job);
    at.queue().countTotal(Total.DIED);
  }

  /** A job joins those of its state that are in no line. */
  private static void join(Change change, At at, JobState state, byte[] key, JobRecord job) {
    put(change, at, key, job);
    at.queue().add(state, 1);
    change.state().markChanged(at.queue());
  }

  private static void put(Change change, At at, byte[] key, JobRecord job) {
    change.put(key, job.encode(key));
    Holdings holdings = Holdings.of(at.queue().number(), key, job);
    if (at.wasWaiting()) {
      holdings.moved(change.batch(), key);
    } else {
      holdings.entered(change.batch(), change.state().timerHeads(), key);
    }
  }

  /** A job is in a line, where it was not before. */
  static void countReady(Change change, QueueState queue) {
    queue.add(JobState.READY, 1);
    change.state().markChanged(queue);
    change.wake(queue);
    if (change.state().isOverBudget()) {
      change.state().makeRoomFor(queue);
    }
  }
}
