package io.millrace.internal.copy;

import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The repair of unique keys that are taken: their rows are made of the records of the jobs that
 * hold them. A key that is taken for a time may outlive its job: then its row is the only one to
 * tell, and is kept.
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

  /** Keeps the rows that jobs of the new store agree with, so that of two jobs theirs count. */
  void keepStored() {
    stores.eachOfSource(
        Keyspace.UNIQUE,
        (key, value) -> {
          boolean isSound =
              RowCheck.flaw(key, value) == null
                  && queues.presence(UniqueKeys.queue(key)) == QueuePresence.LIVE;
          if (isSound && isHeld(key, UniqueRecord.decode(key, value))) {
            stores.target().put(key, value);
          }
        });
  }

  /**
   * Adds the row of the unique key that a job of the new store holds, if any. If another job holds
   * the key already, this one goes on without.
   */
  void add(byte[] key, JobRecord job) {
    Row row = OwnedRows.unique(key, job);
    if (row == null) {
      return;
    }
    if (isStarted(key, job)) {
      JobRecord started = job.toBuilder().set(JobField.UNIQUE_SCOPE, UniqueRecord.STARTED).build();
      stores.target().put(key, started.encode(key));
      stores.log().rebuilt(key, "job was started and held a unique key until its start");
      return;
    }
    byte[] value = stores.target().get(row.key());
    UniqueRecord kept = value == null ? null : UniqueRecord.decode(row.key(), value);
    UniqueRecord own = UniqueRecord.decode(row.key(), row.value());
    if (own.equals(kept) || !isHeldNow(row.key(), own, kept)) {
      return;
    }
    if (kept == null || holder(row.key(), kept) == null) {
      stores.target().put(row.key(), row.value());
    } else {
      JobRecord without =
          job.toBuilder()
              .set(JobField.UNIQUE_KEY, null)
              .set(JobField.UNIQUE_SCOPE, 0)
              .set(JobField.UNIQUE_UNTIL_MS, 0)
              .build();
      stores.target().put(key, without.encode(key));
      stores.log().rebuilt(key, "another job holds the job's unique key, too");
    }
  }

  /**
   * Tells whether the key is held now. A key that was taken for a time is still held if the timer
   * is there that frees it: the clock alone does not tell, for it may have been ahead when the key
   * was freed.
   */
  private boolean isHeldNow(byte[] rowKey, UniqueRecord own, @Nullable UniqueRecord kept) {
    Row timer = OwnedRows.timer(rowKey, own);
    return own.scope() != UniqueRecord.FOR
        || (kept == null && timer != null && stores.source().get(timer.key()) != null);
  }

  /** Tells whether the job's record is older than the lease on it, which freed its key. */
  private boolean isStarted(byte[] key, JobRecord job) {
    return job.uniqueScope() == UniqueRecord.UNTIL_STARTED
        && Keyspace.ofKey(key) == Keyspace.READY
        && stores.target().has(LeaseKeys.key(Keyspace.queue(key), job.birth()));
  }

  private boolean isHeld(byte[] key, UniqueRecord unique) {
    JobRecord holder = holder(key, unique);
    if (holder == null) {
      return unique.scope() == UniqueRecord.FOR && unique.expiryMs() > 0;
    }
    byte[] place = jobs.key(UniqueKeys.queue(key), holder.birth());
    return place != null
        && OwnedRows.holds(place, holder, key, unique)
        && !isStarted(place, holder);
  }

  /** Returns the record of the job that the row names; null if it is not there. */
  private @Nullable JobRecord holder(byte[] rowKey, UniqueRecord unique) {
    int queue = UniqueKeys.queue(rowKey);
    return JobAddress.of(unique.jobId())
        .filter(address -> address.queue() == queue)
        .flatMap(address -> Optional.ofNullable(jobs.record(queue, address.birth())))
        .filter(job -> job.jobId(queue).equals(unique.jobId()))
        .orElse(null);
  }
}
