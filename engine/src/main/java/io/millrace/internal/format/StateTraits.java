package io.millrace.internal.format;

import static io.millrace.internal.format.StateTraits.Slot.AWAITED;
import static io.millrace.internal.format.StateTraits.Slot.HELD;
import static io.millrace.internal.format.StateTraits.Slot.KEPT;
import static io.millrace.internal.format.StateTraits.Slot.NONE;
import static io.millrace.internal.format.StateTraits.Stage.ENDED;
import static io.millrace.internal.format.StateTraits.Stage.FINISHED;
import static io.millrace.internal.format.StateTraits.Stage.RUNNING;
import static io.millrace.internal.format.StateTraits.Stage.TO_DO;
import static io.millrace.internal.format.TimerKeys.Kind.DEAD_RETENTION;
import static io.millrace.internal.format.TimerKeys.Kind.RESULT_RETENTION;
import static io.millrace.internal.format.TimerKeys.Kind.TIME_TO_LIVE;
import static io.millrace.internal.format.TimerKeys.Kind.WAIT_DEADLINE;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The traits that all jobs in one state share, as far as rows, counts and slots go. They are said
 * here alone, one row of {@link #row} for each state, and without its row a new state does not
 * compile. Who needs to know something of a state asks here and lists no states.
 *
 * @param code the state's code in the queue's counters. On disk, never change
 * @param stage how far the job has come
 * @param slot what the job has of its concurrency key's slots
 * @param sequenceOfKey reads the sequence in the key of the job's row: that of its birth, or, if
 *     the key has a priority, that of its entry there
 * @param priorityOfKey reads the priority in that key; null if it has none
 * @param timer the kind of the TIMER row that the job may have; null if it has none
 * @param isBirthplace whether jobs are born in the state, so that their ids say so
 * @param nearnessToEnd a rank by which repair picks, if nothing else tells, one of two states that
 *     a job is in: the highest
 */
public record StateTraits(
    JobState state,
    int code,
    Stage stage,
    Slot slot,
    ToLongFunction<byte[]> sequenceOfKey,
    @Nullable ToIntFunction<byte[]> priorityOfKey,
    TimerKeys.@Nullable Kind timer,
    boolean isBirthplace,
    int nearnessToEnd) {

  private static final StateTraits[] BY_STATE = new StateTraits[JobState.values().length];
  private static final StateTraits[] BY_KEYSPACE = new StateTraits[Keyspace.values().length];

  static {
    for (JobState state : JobState.values()) {
      StateTraits traits = row(state);
      BY_STATE[state.ordinal()] = traits;
      BY_KEYSPACE[Keyspace.of(state).ordinal()] = traits;
    }
  }

  /** A part of a job's way. */
  public enum Stage {
    /** The job is yet to be worked on, now or later, and counts in the depth of its queue. */
    TO_DO,
    /** A worker has the job. */
    RUNNING,
    /** The job has ended and holds no unique key, but may be brought back. */
    ENDED,
    /** The job is completed: nothing brings it back, and only its result is there. */
    FINISHED
  }

  /** A share in the slots of a concurrency key. */
  public enum Slot {
    /** The job holds a slot. */
    HELD,
    /** The job holds a slot if its record says that it kept the one that it had. */
    KEPT,
    /** The job waits for a slot. */
    AWAITED,
    /** The job holds no slot. */
    NONE
  }

  private static StateTraits row(JobState state) {
    return switch (state) {
      case READY ->
          new StateTraits(
              state,
              1,
              TO_DO,
              HELD,
              ReadyKeys::sequence,
              ReadyKeys::priority,
              TIME_TO_LIVE,
              true,
              2);
      case DELAYED ->
          new StateTraits(state, 2, TO_DO, KEPT, DelayedKeys::birth, null, TIME_TO_LIVE, true, 0);
      // The row is the lease; the job's record stays in READY.
      case LEASED ->
          new StateTraits(state, 3, RUNNING, HELD, LeaseKeys::birth, null, null, false, 2);
      case BLOCKED ->
          new StateTraits(
              state,
              4,
              TO_DO,
              AWAITED,
              BlockedKeys::sequence,
              BlockedKeys::priority,
              TIME_TO_LIVE,
              true,
              1);
      case WAITING ->
          new StateTraits(state, 5, TO_DO, KEPT, WaitingKeys::birth, null, WAIT_DEADLINE, false, 3);
      case DEAD ->
          new StateTraits(state, 6, ENDED, NONE, DeadKeys::birth, null, DEAD_RETENTION, false, 4);
      case DONE ->
          new StateTraits(
              state, 7, FINISHED, NONE, DoneKeys::birth, null, RESULT_RETENTION, false, 5);
    };
  }

  public static StateTraits of(JobState state) {
    return BY_STATE[state.ordinal()];
  }

  /** Returns the traits of the state of which the keyspace's rows tell; null if of none. */
  static @Nullable StateTraits find(Keyspace keyspace) {
    return BY_KEYSPACE[keyspace.ordinal()];
  }

  /** Returns the traits of the state whose rows are where the key is; null if it is of none. */
  public static @Nullable StateTraits find(byte[] key) {
    Keyspace keyspace = Keyspace.find(key);
    return keyspace == null ? null : find(keyspace);
  }

  /**
   * Returns the traits of the state whose rows are where the key is.
   *
   * @throws IllegalArgumentException the key is in no keyspace, or not in that of a state
   */
  public static StateTraits at(byte[] key) {
    return in(Keyspace.ofKey(key));
  }

  /**
   * Returns the traits of the state of which the keyspace's rows tell.
   *
   * @throws IllegalArgumentException they do not tell of a state
   */
  public static StateTraits in(Keyspace keyspace) {
    StateTraits traits = find(keyspace);
    if (traits == null) {
      throw new IllegalArgumentException("keyspace is of no state: keyspace=" + keyspace);
    }
    return traits;
  }

  /** Returns the states that have the trait, in their order. */
  public static List<JobState> states(Predicate<StateTraits> hasTrait) {
    return Arrays.stream(BY_STATE).filter(hasTrait).map(StateTraits::state).toList();
  }

  /** Returns the keyspaces of job records in states that have the trait, in the states' order. */
  static List<Keyspace> keyspaces(Predicate<StateTraits> hasTrait) {
    return states(hasTrait).stream().map(Keyspace::of).filter(Keyspace::isOfJobs).toList();
  }

  /** Tells whether the depth of a queue counts the job. */
  public boolean isDepth() {
    return stage == TO_DO;
  }

  /** Tells whether the job has ended, and holds no unique key. */
  public boolean isEnd() {
    return stage == ENDED || stage == FINISHED;
  }

  /** Tells whether nothing brings the job back; callers are told that it is gone. */
  public boolean isFinal() {
    return stage == FINISHED;
  }

  /** Tells whether the record may say that the job keeps its slot. */
  public boolean mayKeepSlot() {
    return slot == KEPT;
  }

  /** Tells whether the job's key has the sequence of its birth, and not one of its entry. */
  public boolean isKeyOfBirth() {
    return priorityOfKey == null;
  }

  /**
   * Returns the sequence in the key of the state's row: that of the birth, or that of the entry.
   *
   * @throws CorruptDataException the key does not have the layout of its keyspace
   */
  long sequence(byte[] key) {
    return sequenceOfKey.applyAsLong(key);
  }

  /**
   * Returns the priority in the key of the state's row, which is not {@link #isKeyOfBirth one of
   * birth}.
   *
   * @throws CorruptDataException the key does not have the layout of its keyspace
   */
  int priority(byte[] key) {
    return Objects.requireNonNull(priorityOfKey, "priorityOfKey").applyAsInt(key);
  }
}
