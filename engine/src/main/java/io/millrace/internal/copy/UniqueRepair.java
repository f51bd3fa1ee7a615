package io.millrace.internal.copy;

import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.Arrays;
import java.util.Optional;

/**
 * Unique keys that are taken: by those that hold them, and by jobs whose record says that they do.
 * A key that is taken for a time outlives its job, so that its row is the only one to tell.
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
    byte[] uniqueKey = job.uniqueKey();
    int queue = Keyspace.queue(key);
    if (uniqueKey == null || !isHolder(queue, key, job)) {
      return;
    }
    byte[] rowKey = UniqueKeys.key(queue, uniqueKey);
    if (!stores.target().has(rowKey)) {
      UniqueRecord holder =
          new UniqueRecord(job.jobId(queue), job.uniqueScope(), job.uniqueUntilMs());
      stores.target().put(rowKey, holder.encode(rowKey));
      stores.log().rebuilt(rowKey, "unique key of a job was not taken");
    }
  }

  private boolean isHolder(int queue, byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    if (keyspace == Keyspace.DEAD || keyspace == Keyspace.DONE) {
      return false;
    }
    return switch (job.uniqueScope()) {
      case UniqueRecord.UNTIL_STARTED ->
          job.lastStartedAtMs() == 0
              && job.attempts() == 0
              && !stores.target().has(LeaseKeys.key(queue, job.birth()));
      case UniqueRecord.UNTIL_FINISHED -> true;
      case UniqueRecord.FOR -> job.uniqueUntilMs() > stores.nowMs();
      default -> false;
    };
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
    } else if (isHeld(key, UniqueRecord.decode(key, value))) {
      stores.target().put(key, value);
    } else {
      stores.log().dropped(key, "job that held the unique key is not there");
    }
  }

  private boolean isHeld(byte[] key, UniqueRecord unique) {
    if (unique.scope() == UniqueRecord.FOR) {
      return true;
    }
    int queue = UniqueKeys.queue(key);
    Optional<JobRecord> holder =
        JobAddress.of(unique.jobId())
            .filter(address -> address.queue() == queue)
            .flatMap(address -> Optional.ofNullable(jobs.record(queue, address.birth())))
            .filter(job -> job.jobId(queue).equals(unique.jobId()));
    return holder.isPresent() && Arrays.equals(holder.get().uniqueKey(), UniqueKeys.uniqueKey(key));
  }
}
