package io.millrace.internal.copy;

import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Unique keys that are taken, made of the records of the jobs that hold them. A key that is taken
 * for a time may outlive its job: then its row is the only one to tell, and is kept.
 */
final class UniqueRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;

  UniqueRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
  }

  void keepStored() {
    stores.eachOfSource(Keyspace.UNIQUE, this::keep);
  }

  /** A job of the new store: if it holds a key, nobody else gets it. */
  void add(byte[] key, JobRecord job) {
    int queue = Keyspace.queue(key);
    byte[] uniqueKey = job.uniqueKey();
    if (uniqueKey == null) {
      return;
    }
    if (isStarted(queue, key, job)) {
      JobRecord started = job.toBuilder().uniqueScope(UniqueRecord.STARTED).build();
      stores.target().put(key, started.encode(key));
      stores.log().rebuilt(key, "job was started and held a unique key until its start");
    } else if (isHolder(queue, key, job, uniqueKey)) {
      take(queue, key, job, uniqueKey);
    }
  }

  private void take(int queue, byte[] key, JobRecord job, byte[] uniqueKey) {
    byte[] rowKey = UniqueKeys.key(queue, uniqueKey);
    byte[] value = stores.target().get(rowKey);
    UniqueRecord row = UniqueRecord.of(queue, job);
    UniqueRecord kept = value == null ? null : UniqueRecord.decode(rowKey, value);
    if (row.equals(kept)) {
      return;
    }
    if (kept == null) {
      put(rowKey, row);
      stores.log().rebuilt(rowKey, "unique key of a job was not taken");
    } else if (record(queue, kept) == null) {
      put(rowKey, row);
      stores.log().rebuilt(rowKey, "unique key was taken by a job that is gone");
    } else {
      JobRecord without = job.toBuilder().uniqueKey(null).uniqueScope(0).uniqueUntilMs(0).build();
      stores.target().put(key, without.encode(key));
      stores.log().rebuilt(key, "another job holds the job's unique key, too");
    }
  }

  private void put(byte[] rowKey, UniqueRecord row) {
    stores.target().put(rowKey, row.encode(rowKey));
    putTimer(rowKey, row);
  }

  /** What frees a key that is taken for a time. */
  private void putTimer(byte[] rowKey, UniqueRecord row) {
    if (row.scope() != UniqueRecord.FOR) {
      return;
    }
    byte[] timerKey =
        timerKey(UniqueKeys.queue(rowKey), UniqueKeys.uniqueKey(rowKey), row.expiryMs());
    if (!stores.target().has(timerKey)) {
      stores.target().put(timerKey, new TimerRecord(rowKey).encode(timerKey));
      if (stores.source().get(timerKey) == null) {
        stores.log().rebuilt(timerKey, "row was missing");
      }
    }
  }

  private static byte[] timerKey(int queue, byte[] uniqueKey, long timeMs) {
    return TimerKeys.key(timeMs, queue, TimerKeys.Kind.UNIQUE_EXPIRY, TimerKeys.hash(uniqueKey));
  }

  /**
   * A key that was taken for a time is still held if the timer is there that frees it: the clock
   * alone does not tell, for it may have been ahead when the key was freed.
   */
  private boolean isHolder(int queue, byte[] key, JobRecord job, byte[] uniqueKey) {
    boolean isTimed = job.uniqueScope() == UniqueRecord.FOR;
    return job.holdsUniqueKey(Keyspace.ofKey(key))
        || (isTimed
            && stores.source().get(timerKey(queue, uniqueKey, job.uniqueUntilMs())) != null
            && !stores.target().has(UniqueKeys.key(queue, uniqueKey)));
  }

  /** Whether the job's record is older than the lease on it, which freed its key. */
  private boolean isStarted(int queue, byte[] key, JobRecord job) {
    return job.uniqueScope() == UniqueRecord.UNTIL_STARTED
        && Keyspace.ofKey(key) == Keyspace.READY
        && stores.target().has(LeaseKeys.key(queue, job.birth()));
  }

  private void keep(byte[] key, byte[] value) {
    QueuePresence presence = queues.presence(Keyspace.queue(key));
    if (presence == QueuePresence.DROPPED) {
      return;
    }
    String flaw = Keyspace.flaw(key, value);
    if (flaw != null) {
      stores.log().dropped(key, flaw);
    } else if (presence == QueuePresence.UNKNOWN) {
      stores.log().dropped(key, "row's queue is not there");
    } else {
      UniqueRecord unique = UniqueRecord.decode(key, value);
      String reason = reasonToDrop(key, unique);
      if (reason == null) {
        put(key, unique);
      } else {
        stores.log().dropped(key, reason);
      }
    }
  }

  private @Nullable String reasonToDrop(byte[] key, UniqueRecord unique) {
    int queue = UniqueKeys.queue(key);
    JobRecord holder = record(queue, unique);
    if (holder == null) {
      return unique.scope() == UniqueRecord.FOR && unique.expiryMs() > 0
          ? null
          : "job that held the unique key is not there";
    }
    byte[] place = jobs.key(queue, holder.birth());
    boolean agrees =
        place != null
            && Arrays.equals(holder.uniqueKey(), UniqueKeys.uniqueKey(key))
            && UniqueRecord.of(queue, holder).equals(unique)
            && !isStarted(queue, place, holder)
            && (unique.scope() == UniqueRecord.FOR || holder.holdsUniqueKey(Keyspace.ofKey(place)));
    return agrees ? null : "job that the row names does not hold the unique key";
  }

  /** The record of the job that the row names; null if it is not there. */
  private @Nullable JobRecord record(int queue, UniqueRecord unique) {
    return JobAddress.of(unique.jobId())
        .filter(address -> address.queue() == queue)
        .flatMap(address -> Optional.ofNullable(jobs.record(queue, address.birth())))
        .filter(job -> job.jobId(queue).equals(unique.jobId()))
        .orElse(null);
  }
}
