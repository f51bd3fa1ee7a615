package io.millrace.internal.format;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows that say no more than other rows say: each follows from the row that owns it, and from
 * where that is.
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
 * <p>Beside these each job that holds a slot or is blocked counts in one row of SLOT ({@link
 * SlotKeys#ofCounted}, {@link SlotRecord#ofOne}). Verification holds all of them against what is
 * stored; repair and the recount of lost rows write them anew. Whatever moves a job writes the same
 * ones from what is in memory.
 */
public final class OwnedRows {

  private OwnedRows() {}

  /** The MOVED row of the job whose record is at the place. */
  public static @Nullable Row moved(byte[] place, JobRecord job) {
    int queue = Keyspace.queue(place);
    if (job.address(queue).isBirthKey(place)) {
      return null;
    }
    byte[] key = MovedKeys.key(queue, job.birth());
    return new Row(key, new MovedRecord(place).encode(key));
  }

  /**
   * The TIMER row of the job whose record is at the place and that is not leased. It may name an
   * earlier place: a job that moves on with its time keeps the row.
   */
  public static @Nullable Row timer(byte[] place, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(place);
    TimerKeys.Kind kind = TimerKeys.Kind.in(keyspace);
    long timeMs = job.timerMs(keyspace);
    return kind == null || timeMs == 0
        ? null
        : timer(TimerKeys.key(timeMs, Keyspace.queue(place), kind, job.birth()), place);
  }

  /**
   * The UNIQUE row of the job whose record is at the place. One of a key that is taken for a time
   * may be gone by now, for it goes by the clock alone.
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

  /** Whether the job whose record is at the place has the unique key as the key's row says. */
  public static boolean holds(byte[] place, JobRecord job, byte[] rowKey, UniqueRecord told) {
    Row row = unique(place, job);
    return row != null
        && Arrays.equals(row.key(), rowKey)
        && UniqueRecord.of(Keyspace.queue(place), job).equals(told);
  }

  /** The turn of the job whose record is at the place. */
  public static @Nullable Row turn(byte[] place, JobRecord job) {
    if (Keyspace.ofKey(place) != Keyspace.BLOCKED || !BlockedKeys.isOfEngine(place)) {
      return null;
    }
    byte[] key = TurnKeys.ofBlocked(place);
    return new Row(key, TurnRecord.of(place, job).encode(key));
  }

  /** The TIMER row of the unique key's row. */
  public static @Nullable Row timer(byte[] key, UniqueRecord unique) {
    if (unique.scope() != UniqueRecord.FOR || unique.expiryMs() < 0) {
      return null;
    }
    long hash = TimerKeys.hash(UniqueKeys.uniqueKey(key));
    return timer(
        TimerKeys.key(unique.expiryMs(), UniqueKeys.queue(key), TimerKeys.Kind.UNIQUE_EXPIRY, hash),
        key);
  }

  /** The TIMER row of the broadcast that is kept at the key. */
  public static Row timer(byte[] key, SignalRecord broadcast) {
    long hash = TimerKeys.hash(SignalKeys.signal(key));
    return timer(
        TimerKeys.key(
            broadcast.expiryMs(), SignalKeys.queue(key), TimerKeys.Kind.SIGNAL_EXPIRY, hash),
        key);
  }

  private static Row timer(byte[] key, byte[] owner) {
    return new Row(key, new TimerRecord(owner).encode(key));
  }
}
