package io.millrace.internal.format;

import io.millrace.api.Limits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows that say no more than other rows: each follows from the row that owns it, and from the
 * key of that row.
 *
 * <pre>
 *  owner                                      row
 *  a job that is not where it was born        MOVED, which leads to it
 *  a job whose record names a time            TIMER of that time; none while the job is leased
 *  a job with a unique key                    UNIQUE, which names it
 *  a blocked job with a key of the engine     its turn in SLOT
 *  a unique key that is taken for a time      TIMER that frees it
 *  a broadcast that is kept                   TIMER that forgets it
 * </pre>
 *
 * <p>Beside these, each job that holds a slot or is blocked counts in one row of SLOT ({@link
 * SlotKeys#ofCounted}, {@link SlotRecord#ofOne}). Verification compares all of them with the stored
 * rows. Repair and the recount of lost rows write them anew. A transition that moves a job puts the
 * MOVED and TIMER rows that this class returns. It changes UNIQUE rows, turns and counts where it
 * takes or gives up what they stand for.
 */
public final class OwnedRows {

  private OwnedRows() {}

  /** Returns the MOVED row of the job whose record is at the place; null if it has none. */
  public static @Nullable Row moved(byte[] place, JobRecord job) {
    if (isWhereBorn(place, job)) {
      return null;
    }
    byte[] key = MovedKeys.key(Keyspace.queue(place), job.birth());
    return new Row(key, new MovedRecord(place).encode(key));
  }

  private static boolean isWhereBorn(byte[] place, JobRecord job) {
    return job.birthKind() == Keyspace.READY
        && Keyspace.ofKey(place) == Keyspace.READY
        && ReadyKeys.sequence(place) == job.birth()
        && ReadyKeys.priority(place) == job.birthPriority();
  }

  /**
   * Returns the TIMER row of the job, not leased, whose record is at the place; null if it has
   * none. The stored row may name an earlier place: a job that moves on with its time keeps the
   * row.
   */
  public static @Nullable Row timer(byte[] place, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(place);
    TimerKeys.Kind kind = StateTraits.in(keyspace).timer();
    long timeMs = job.timerMs(keyspace);
    return kind == null || timeMs == 0
        ? null
        : timerRow(TimerKeys.key(timeMs, Keyspace.queue(place), kind, job.birth()), place);
  }

  /**
   * Returns the UNIQUE row of the job whose record is at the place; null if it has none. The row of
   * a key that is taken for a time may be gone by now, for it goes by the clock alone.
   */
  public static @Nullable Row unique(byte[] place, JobRecord job) {
    byte[] uniqueKey = job.uniqueKey();
    boolean mayHold =
        job.uniqueScope() == UniqueRecord.FOR || job.holdsUniqueKey(Keyspace.ofKey(place));
    if (uniqueKey == null || !mayHold) {
      return null;
    }
    int queue = Keyspace.queue(place);
    byte[] key = UniqueKeys.key(queue, uniqueKey);
    return new Row(key, UniqueRecord.of(queue, job).encode(key));
  }

  /**
   * Tells whether the job whose record is at the place has the unique key as the key's row says.
   */
  public static boolean holds(byte[] place, JobRecord job, byte[] rowKey, UniqueRecord told) {
    Row row = unique(place, job);
    return row != null
        && Arrays.equals(row.key(), rowKey)
        && UniqueRecord.of(Keyspace.queue(place), job).equals(told);
  }

  /** Returns the turn of the job whose record is at the place; null if it has none. */
  public static @Nullable Row turn(byte[] place, JobRecord job) {
    if (Keyspace.ofKey(place) != Keyspace.BLOCKED || !BlockedKeys.isOfEngine(place)) {
      return null;
    }
    byte[] key = TurnKeys.ofBlocked(place);
    return new Row(key, TurnRecord.of(place, job).encode(key));
  }

  /** Returns the TIMER row of a sound row that is no job's record; null if it has none. */
  public static @Nullable Row timer(byte[] key, byte[] value) {
    return switch (Keyspace.ofKey(key)) {
      case UNIQUE -> timer(key, UniqueRecord.decode(key, value));
      case SIGNAL -> SignalKeys.isOne(key) ? timer(key, SignalRecord.decode(key, value)) : null;
      default -> null;
    };
  }

  /** Returns the TIMER row of the unique key's row; null if the key is not taken for a time. */
  public static @Nullable Row timer(byte[] key, UniqueRecord unique) {
    if (unique.scope() != UniqueRecord.FOR || unique.expiryMs() < 0) {
      return null;
    }
    long hash = TimerKeys.hash(UniqueKeys.uniqueKey(key));
    return timerRow(
        TimerKeys.key(unique.expiryMs(), UniqueKeys.queue(key), TimerKeys.Kind.UNIQUE_EXPIRY, hash),
        key);
  }

  /** Returns the TIMER row of the broadcast that is kept at the key. */
  public static Row timer(byte[] key, SignalRecord broadcast) {
    long hash = TimerKeys.hash(SignalKeys.signal(key));
    return timerRow(
        TimerKeys.key(
            broadcast.expiryMs(), SignalKeys.queue(key), TimerKeys.Kind.SIGNAL_EXPIRY, hash),
        key);
  }

  /**
   * Returns the reason why a sound row of BLOB or HISTORY does not fit its job; null if it does. No
   * other row could replace it.
   *
   * @param job the job's record; null if it does not exist
   */
  public static @Nullable String misfit(byte[] key, byte[] value, @Nullable JobRecord job) {
    boolean isBlob = Keyspace.ofKey(key) == Keyspace.BLOB;
    if (job == null) {
      return isBlob ? "the payload's job does not exist" : "the attempt's job does not exist";
    }
    if (isBlob) {
      return job.names(BlobKeys.version(key), BlobRecord.decode(key, value))
          ? null
          : "the payload is not the one that its job has";
    }
    int finished = job.earlierAttempts() + job.attempts();
    int number = HistoryKeys.attempt(key);
    return number <= finished && number > finished - Limits.HISTORY_COUNT_MAX
        ? null
        : "the attempt is not one of those that are kept: finished=" + finished;
  }

  private static Row timerRow(byte[] key, byte[] owner) {
    return new Row(key, new TimerRecord(owner).encode(key));
  }
}
