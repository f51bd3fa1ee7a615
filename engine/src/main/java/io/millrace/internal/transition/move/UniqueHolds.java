package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Unique keys as jobs take and free them.
 *
 * <p><b>The invariant.</b> A job that is neither dead nor done, and whose record has a key of scope
 * UNTIL_STARTED or UNTIL_FINISHED, holds the UNIQUE row of that key, which names it; no other job
 * does. So its end may delete the row without looking, and a job that is dead or done must not. The
 * start of a job with a key of scope UNTIL_STARTED deletes the row and writes STARTED into the
 * record, both with the row of its lease: whoever sees the lease in the store sees the key free.
 *
 * <p>A key of scope FOR is held by the clock: its row has the time when it is free, and a TIMER row
 * deletes it then. Nothing that happens to the job touches it. A row whose time has passed counts
 * as none, whether it is there still or not.
 */
public final class UniqueHolds {

  private UniqueHolds() {}

  /**
   * The job that holds the key of the row, or held it for a time that has not passed; null if it is
   * free.
   *
   * @throws CorruptDataException the row is damaged; it will be set aside and made anew
   */
  public static @Nullable UniqueRecord holder(OpenBatch batch, byte[] rowKey) {
    UniqueRecord stored = stored(batch, rowKey);
    return stored == null || stored.isExpired(batch.steadyMs()) ? null : stored;
  }

  private static @Nullable UniqueRecord stored(OpenBatch batch, byte[] rowKey) {
    byte[] value = batch.get(rowKey);
    try {
      return value == null ? null : UniqueRecord.decode(rowKey, value);
    } catch (CorruptDataException e) {
      batch.reportCorrupt(rowKey);
      throw e;
    }
  }

  /**
   * The job takes the key that its record names, which nobody holds, or nobody is to hold any more.
   * A row that is there, and can be read, goes with its timer.
   */
  public static void take(OpenBatch batch, int queue, JobRecord job) {
    byte[] uniqueKey = job.uniqueKey();
    if (uniqueKey == null) {
      return;
    }
    byte[] rowKey = UniqueKeys.key(queue, uniqueKey);
    UniqueRecord before = stored(batch, rowKey);
    if (before != null) {
      dropTimer(batch, rowKey, before);
    }
    batch.put(rowKey, UniqueRecord.of(queue, job).encode(rowKey));
    if (job.uniqueScope() == UniqueRecord.FOR) {
      byte[] timerKey = timerKey(queue, job.uniqueUntilMs(), uniqueKey);
      batch.put(timerKey, new TimerRecord(rowKey).encode(timerKey));
      batch.state().timerHeads().note(timerKey);
    }
  }

  /** The row goes, and so does the TIMER row that would have deleted it in its time. */
  public static void dropTimer(OpenBatch batch, byte[] rowKey, UniqueRecord unique) {
    if (unique.scope() == UniqueRecord.FOR) {
      byte[] uniqueKey = UniqueKeys.uniqueKey(rowKey);
      batch.delete(timerKey(UniqueKeys.queue(rowKey), unique.expiryMs(), uniqueKey));
    }
  }

  private static byte[] timerKey(int queue, long timeMs, byte[] uniqueKey) {
    return TimerKeys.key(timeMs, queue, TimerKeys.Kind.UNIQUE_EXPIRY, TimerKeys.hash(uniqueKey));
  }

  /** A dead job lives again: what its record says of the key that it takes again. */
  static JobRecord afresh(JobRecord job) {
    return job.uniqueScope() == UniqueRecord.STARTED
        ? job.toBuilder().uniqueScope(UniqueRecord.UNTIL_STARTED).build()
        : job;
  }

  /**
   * The leased job's record, with its key freed if the start of the job does that and no batch that
   * is stored has done it.
   */
  public static JobRecord started(OpenBatch batch, LeaseEntry lease, JobRecord job) {
    if (!lease.holdings().isFreedAtStart()) {
      return job;
    }
    lease.holdings().freeKey(batch.writes());
    return job.toBuilder().uniqueScope(UniqueRecord.STARTED).build();
  }

  /**
   * A TIMER row is due: the key that it names is free, unless that has another time by now.
   *
   * @throws CorruptDataException the key's row is damaged; it will be set aside and made anew
   */
  public static void expire(OpenBatch batch, byte[] timerKey, byte[] timerValue) {
    byte[] rowKey = rowOf(batch, timerKey, timerValue);
    UniqueRecord stored = rowKey == null ? null : stored(batch, rowKey);
    if (rowKey != null && stored != null && isUntil(stored, TimerKeys.timeMs(timerKey))) {
      batch.delete(rowKey);
    }
  }

  /** Puts a TIMER row anew that was set aside, if there is a key that it is of. */
  public static void restoreTimer(OpenBatch batch, byte[] timerKey) {
    byte[] rowKey = search(batch, timerKey);
    if (rowKey != null) {
      batch.put(timerKey, new TimerRecord(rowKey).encode(timerKey));
      batch.state().timerHeads().note(timerKey);
    }
  }

  private static boolean isUntil(UniqueRecord unique, long timeMs) {
    return unique.scope() == UniqueRecord.FOR && unique.expiryMs() == timeMs;
  }

  /** The row of the key that the TIMER row names; null if it names none. */
  private static byte @Nullable [] rowOf(OpenBatch batch, byte[] timerKey, byte[] timerValue) {
    byte[] rowKey;
    try {
      rowKey = TimerRecord.decode(timerKey, timerValue).owner();
    } catch (CorruptDataException e) {
      return search(batch, timerKey);
    }
    return Keyspace.find(rowKey) == Keyspace.UNIQUE && Keyspace.flaw(rowKey) == null
        ? rowKey
        : null;
  }

  /** The row that a TIMER row is of which cannot be read; goes over the queue's keys. */
  private static byte @Nullable [] search(OpenBatch batch, byte[] timerKey) {
    int queue = TimerKeys.queue(timerKey);
    byte[][] found = new byte[1][];
    batch.scan(
        Keyspace.UNIQUE.queueStart(queue),
        Keyspace.UNIQUE.queueEnd(queue),
        (rowKey, value) -> {
          if (isOf(timerKey, rowKey, value)) {
            found[0] = rowKey;
          }
          return found[0] == null;
        });
    return found[0];
  }

  private static boolean isOf(byte[] timerKey, byte[] rowKey, byte[] value) {
    try {
      long hash = TimerKeys.hash(UniqueKeys.uniqueKey(rowKey));
      return hash == TimerKeys.birthOrHash(timerKey)
          && isUntil(UniqueRecord.decode(rowKey, value), TimerKeys.timeMs(timerKey));
    } catch (CorruptDataException e) {
      return false;
    }
  }

  /**
   * A job is lost with its record, which alone said whether it holds a key: no key of the queue is
   * held by it any more, but for a time.
   */
  static void forget(OpenBatch batch, int queue, long birth) {
    List<byte[]> rows = new ArrayList<>();
    batch.scan(
        Keyspace.UNIQUE.queueStart(queue),
        Keyspace.UNIQUE.queueEnd(queue),
        (rowKey, value) -> {
          if (isOf(rowKey, value, birth)) {
            rows.add(rowKey);
          }
          return true;
        });
    rows.forEach(batch::delete);
  }

  private static boolean isOf(byte[] rowKey, byte[] value, long birth) {
    try {
      UniqueRecord unique = UniqueRecord.decode(rowKey, value);
      Optional<JobAddress> holder = JobAddress.of(unique.jobId());
      return unique.scope() != UniqueRecord.FOR
          && holder.isPresent()
          && holder.get().birth() == birth;
    } catch (CorruptDataException e) {
      return false;
    }
  }

  /**
   * Makes the row of a key anew, which was set aside: of the record of the job that holds it; reads
   * the whole queue. A key that was taken for a time by a job that is gone is free then, for
   * nothing else knows of it.
   */
  public static void restore(OpenBatch batch, byte[] rowKey) {
    int queue = UniqueKeys.queue(rowKey);
    byte[] uniqueKey = UniqueKeys.uniqueKey(rowKey);
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      JobRecord[] holder = new JobRecord[1];
      batch.scan(
          keyspace.queueStart(queue),
          keyspace.queueEnd(queue),
          (key, value) -> {
            JobRecord job = Records.decodeOrReport(batch, key, value);
            if (job != null
                && Arrays.equals(uniqueKey, job.uniqueKey())
                && isHolder(batch, keyspace, job)) {
              holder[0] = job;
            }
            return holder[0] == null;
          });
      if (holder[0] != null) {
        take(batch, queue, holder[0]);
        return;
      }
    }
  }

  private static boolean isHolder(OpenBatch batch, Keyspace keyspace, JobRecord job) {
    return job.holdsUniqueKey(keyspace)
        || (job.uniqueScope() == UniqueRecord.FOR && job.uniqueUntilMs() > batch.steadyMs());
  }
}
