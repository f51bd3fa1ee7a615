package io.millrace.internal.transition.move;

import io.millrace.api.JobState;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Planned;
import org.jspecify.annotations.Nullable;

/**
 * The head of an arrow of the state picture: the job's record is put where its new state keeps it,
 * with the rows that the job owns there, and is counted. Nothing here can fail, but for the read of
 * a slot that was not {@link Slots#know read before}.
 */
public final class Destination {

  /**
   * The end of the job's line, with a new ready sequence, or of the blocked jobs of its key if that
   * has no slot.
   */
  public static final Destination READY =
      new Destination(
          JobState.READY,
          (batch, queue, job) -> readySince(job, batch.nowMs()),
          Destination::joinEither);

  /** The end of the job's line, for one that keeps the slot that it has, or is given one. */
  public static final Destination LINE =
      new Destination(
          JobState.READY,
          (batch, queue, job) -> readySince(job, batch.nowMs()),
          Destination::joinBehind);

  /** The end of the line of a new job, whose birth is its ready sequence. */
  public static final Destination LINE_AT_BIRTH =
      new Destination(
          JobState.READY,
          (batch, queue, job) -> job,
          (batch, at, job) -> joinLine(batch, at, job.birth(), job));

  /** The dead letters. */
  public static final Destination DEAD =
      new Destination(JobState.DEAD, Destination::dead, Destination::joinDead);

  private final JobState state;
  private final Making making;
  private final Joining joining;

  private Destination(JobState state, Making making, Joining joining) {
    this.state = state;
    this.making = making;
    this.joining = joining;
  }

  /** The entries that the new state makes in the record. Made again, they are the same. */
  private interface Making {
    JobRecord of(OpenBatch batch, QueueState queue, JobRecord job);
  }

  private interface Joining {
    /** Puts the job there, and returns the state in which it is then. */
    JobState join(OpenBatch batch, At at, JobRecord job);
  }

  /**
   * The circumstances of a job's move.
   *
   * @param queue the job's queue
   * @param keepsTimer whether the job has a TIMER row that holds there, too, and stays
   * @param slot whether the job takes along the slot that it had
   */
  record At(QueueState queue, boolean keepsTimer, SlotOnTheWay slot) {}

  /** The fate of the slot that a job has of its concurrency key. */
  enum SlotOnTheWay {
    KEPT,
    NONE
  }

  /** Leads where {@link #READY} leads, for a job that is ready since the given engine time. */
  public static Destination readySince(long readyAtMs) {
    return new Destination(
        JobState.READY, (batch, queue, job) -> readySince(job, readyAtMs), Destination::joinEither);
  }

  /**
   * Leads to the delayed jobs until the time, or where {@link #READY} leads if that has come.
   *
   * @param baseMs the engine time that a length counts from, which is kept in steady time; 0 for an
   *     instant
   */
  public static Destination visibleAt(OpenBatch now, long visibleAtMs, long baseMs) {
    if (visibleAtMs <= now.nowMs()) {
      return READY;
    }
    return new Destination(
        JobState.DELAYED,
        (batch, queue, job) -> delayed(job, baseMs == 0 ? 0 : batch.steadyMs()),
        (batch, at, job) -> joinDelayed(batch, at, job, visibleAtMs, baseMs));
  }

  /** Leads to the end of the jobs that wait for a slot of the concurrency key. */
  public static Destination blocked(byte[] concurrencyKey) {
    return new Destination(
        JobState.BLOCKED,
        (batch, queue, job) -> job,
        (batch, at, job) -> joinBlocked(batch, at, job, concurrencyKey));
  }

  /**
   * Leads to the jobs that wait until the signal is sent, or the deadline passes.
   *
   * @param instantMs the deadline in engine time if it is an instant; else 0
   * @param steadyEndMs the deadline in steady time if it is a length of time from now; else 0
   */
  public static Destination waiting(byte[] signal, long instantMs, long steadyEndMs) {
    return new Destination(
        JobState.WAITING,
        (batch, queue, job) -> waiting(batch, job, signal).waitEnd(instantMs, steadyEndMs).build(),
        joinWaiting(signal));
  }

  /** Leads to the jobs that wait until the condition holds of a tally that is over. */
  public static Destination waitingFor(long tally, Condition condition) {
    byte[] signal = TallyKeys.signal(tally);
    return new Destination(
        JobState.WAITING,
        (batch, queue, job) ->
            waiting(batch, job, signal)
                .waitEnd(0, 0)
                .set(JobField.TALLY_CONDITION, condition.code())
                .set(JobField.EXPIRE_AT_MS, 0)
                .build(),
        joinWaiting(signal));
  }

  private static JobRecordBuilder waiting(OpenBatch batch, JobRecord job, byte[] signal) {
    return job.toBuilder()
        .set(JobField.SIGNAL, signal)
        .set(JobField.SIGNAL_PAYLOAD, null)
        .set(JobField.WAIT_SINCE_MS, batch.nowMs())
        .set(JobField.WAIT_SEQUENCE, batch.state().nextSequence());
  }

  private static Joining joinWaiting(byte[] signal) {
    return (batch, at, job) ->
        join(
            batch,
            at,
            JobState.WAITING,
            WaitingKeys.key(at.queue().number(), signal, job.birth()),
            job);
  }

  /** Leads to the completed jobs, for so many milliseconds. */
  public static Destination done(long retentionMs) {
    return new Destination(
        JobState.DONE,
        (batch, queue, job) ->
            job.toBuilder()
                .set(JobField.EXPIRE_AT_MS, batch.steadyMs() + retentionMs)
                .inbox(InboxRecord.EMPTY)
                .build(),
        (batch, at, job) ->
            join(
                batch,
                at,
                JobState.DONE,
                DoneKeys.key(at.queue().number(), batch.nowMs(), job.birth()),
                job));
  }

  /** Tells whether a job that goes there has ended, and holds no unique key. */
  boolean isEnd() {
    return StateTraits.of(state).isEnd();
  }

  /** Tells whether nothing brings a job back that goes there. */
  boolean isFinal() {
    return StateTraits.of(state).isFinal();
  }

  /** Returns the kind of the timer that the job may have there; null if it has none. */
  TimerKeys.@Nullable Kind timer() {
    return StateTraits.of(state).timer();
  }

  /** Tells whether the job is in its line then, unless it is blocked. */
  boolean isLine() {
    return state == JobState.READY;
  }

  /**
   * Puts the job there, and returns its state, which is another than asked for if it is blocked.
   */
  JobState enter(OpenBatch batch, At at, JobRecord job) {
    return joining.join(batch, at, record(batch, at.queue(), job, at.slot()));
  }

  /** Returns what the job, which has no slot, will be when it is there. */
  public Planned.After after(OpenBatch batch, QueueState queue, JobRecord job) {
    return after(batch, queue, job, SlotOnTheWay.NONE);
  }

  Planned.After after(OpenBatch batch, QueueState queue, JobRecord job, SlotOnTheWay slot) {
    return Planned.After.of(state, record(batch, queue, job, slot));
  }

  /**
   * Returns the record as it will be there. It says that the job keeps its slot where that does not
   * go without saying: in a line a job holds one in any case, and where it ends none.
   */
  private JobRecord record(OpenBatch batch, QueueState queue, JobRecord job, SlotOnTheWay slot) {
    JobRecord there = making.of(batch, queue, job);
    boolean holdsSlot = slot == SlotOnTheWay.KEPT && StateTraits.of(state).mayKeepSlot();
    return holdsSlot == there.holdsSlot()
        ? there
        : there.toBuilder().set(JobField.HOLDS_SLOT, holdsSlot).build();
  }

  private static JobRecord readySince(JobRecord job, long readyAtMs) {
    return job.toBuilder()
        .readyAtMs(readyAtMs)
        .set(JobField.DELAY_BASE_MS, 0)
        .set(JobField.DIED_AT_MS, 0)
        .endWait()
        .build();
  }

  private static JobRecord delayed(JobRecord job, long delayBaseMs) {
    return job.toBuilder()
        .set(JobField.DELAY_BASE_MS, delayBaseMs)
        .set(JobField.DIED_AT_MS, 0)
        .endWait()
        .build();
  }

  private static JobRecord dead(OpenBatch batch, QueueState queue, JobRecord job) {
    long steadyMs = batch.steadyMs();
    long retentionEndMs =
        queue.settings().deadRetention().map(kept -> steadyMs + kept.toMillis()).orElse(0L);
    return job.toBuilder()
        .set(JobField.DIED_AT_MS, batch.nowMs())
        .set(JobField.DELAY_BASE_MS, 0)
        .set(JobField.EXPIRE_AT_MS, retentionEndMs)
        .endWait()
        .build();
  }

  private static JobState joinEither(OpenBatch batch, At at, JobRecord job) {
    byte[] concurrencyKey = job.concurrencyKey();
    boolean isKept = at.slot() == SlotOnTheWay.KEPT;
    if (concurrencyKey != null && !isKept && Slots.mustWait(batch, at.queue(), job)) {
      return joinBlocked(batch, at, job, concurrencyKey);
    }
    return joinBehind(batch, at, job);
  }

  private static JobState joinBehind(OpenBatch batch, At at, JobRecord job) {
    return joinLine(batch, at, batch.state().takeSequence(), job);
  }

  private static JobState joinLine(OpenBatch batch, At at, long sequence, JobRecord job) {
    QueueState queue = at.queue();
    Slots.take(batch, queue, job);
    put(batch, at, ReadyKeys.key(queue.number(), job.priority(), sequence), job);
    queue
        .window(job.priority(), sequence)
        .append(new ReadyJob(sequence, job, batch.writes().number(), batch.level()));
    countReady(batch, queue);
    return JobState.READY;
  }

  private static JobState joinDelayed(
      OpenBatch batch, At at, JobRecord job, long visibleAtMs, long baseMs) {
    DelayClock clock = baseMs == 0 ? DelayClock.ENGINE : DelayClock.STEADY;
    long endMs = clock == DelayClock.ENGINE ? visibleAtMs : batch.steadyMs() + visibleAtMs - baseMs;
    QueueState queue = at.queue();
    if (queue.nextDelayed().isAfter(clock, endMs, job.birth())) {
      batch.state().setNextDelayed(queue, clock, endMs, job.birth());
    }
    return join(
        batch, at, JobState.DELAYED, DelayedKeys.key(queue.number(), endMs, job.birth()), job);
  }

  private static JobState joinBlocked(
      OpenBatch batch, At at, JobRecord job, byte[] concurrencyKey) {
    long sequence = batch.state().takeSequence();
    int queue = at.queue().number();
    byte[] key =
        job.engineMost() > 0
            ? BlockedKeys.keyOfEngine(queue, concurrencyKey, job.priority(), sequence)
            : BlockedKeys.key(queue, concurrencyKey, job.priority(), sequence);
    Slots.block(batch, at.queue(), key, job);
    return join(batch, at, JobState.BLOCKED, key, job);
  }

  private static JobState joinDead(OpenBatch batch, At at, JobRecord job) {
    return join(
        batch,
        at,
        JobState.DEAD,
        DeadKeys.key(at.queue().number(), batch.nowMs(), job.birth()),
        job);
  }

  /** Puts a job among those of its state that are in no line. */
  private static JobState join(OpenBatch batch, At at, JobState state, byte[] key, JobRecord job) {
    if (job.holdsSlot()) {
      Slots.take(batch, at.queue(), job);
    }
    put(batch, at, key, job);
    at.queue().add(state, 1);
    batch.state().markChanged(at.queue());
    return state;
  }

  /** Puts a job's record where it was not: it is in one place at a time. */
  private static void put(OpenBatch batch, At at, byte[] key, JobRecord job) {
    boolean isBornHere = batch.state().isBornInBatch(job.birth());
    batch.putNew(key, job.encode(key));
    batch.putOwned(OwnedRows.moved(key, job), isBornHere);
    if (!at.keepsTimer()) {
      batch.putOwned(OwnedRows.timer(key, job), isBornHere);
    }
  }

  /** Counts a job that has come into a line. */
  static void countReady(OpenBatch batch, QueueState queue) {
    queue.add(JobState.READY, 1);
    TenantRing tenants = queue.shared().tenants();
    if (tenants != null && queue.count(JobState.READY) == 1) {
      tenants.enter(queue.name());
    } else if (tenants != null) {
      // It has left the ring if all others wait for tokens.
      tenants.keep(queue.name());
    }
    batch.state().markChanged(queue);
    batch.wake(queue);
    if (batch.state().isOverBudget()) {
      batch.state().makeRoomFor(queue);
    }
  }
}
