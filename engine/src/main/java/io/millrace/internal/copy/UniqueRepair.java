package io.millrace.internal.copy;

import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.Arrays;
import java.util.Optional;

/**
 * Unique keys that are taken: by those that hold them, and by jobs whose record says that they do.
 * A key that is taken for a time outlives its job, so that its row is the only one to tell.
 */
final class UniqueRepair {

  private final Repair repair;

  UniqueRepair(Repair repair) {
    this.repair = repair;
  }

  void keepStored() {
    repair.eachOfSource(Keyspace.UNIQUE, this::keep);
  }

  /** A job of the new store: if it holds a key, nobody else gets it. */
  void add(byte[] key, JobRecord job) {
    byte[] uniqueKey = job.uniqueKey();
    int queue = Keyspace.queue(key);
    if (uniqueKey == null || !isHolder(queue, key, job)) {
      return;
    }
    byte[] rowKey = UniqueKeys.key(queue, uniqueKey);
    if (!repair.target().has(rowKey)) {
      UniqueRecord holder =
          new UniqueRecord(job.jobId(queue), job.uniqueScope(), job.uniqueUntilMs());
      repair.target().put(rowKey, holder.encode(rowKey));
      repair.log().rebuilt(rowKey, "unique key of a job was not taken");
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
              && !repair.target().has(LeaseKeys.key(queue, job.birth()));
      case UniqueRecord.UNTIL_FINISHED -> true;
      case UniqueRecord.FOR -> job.uniqueUntilMs() > repair.nowMs();
      default -> false;
    };
  }

  private void keep(byte[] key, byte[] value) {
    QueueRepair.State state = repair.queues().state(Keyspace.queue(key));
    if (state == QueueRepair.State.DROPPED) {
      return;
    }
    String flaw = Keyspace.flaw(key, value);
    if (flaw != null) {
      repair.log().dropped(key, flaw);
    } else if (state == QueueRepair.State.UNKNOWN) {
      repair.log().dropped(key, "row's queue is not there");
    } else if (isHeld(key, UniqueRecord.decode(key, value))) {
      repair.target().put(key, value);
    } else {
      repair.log().dropped(key, "job that held the unique key is not there");
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
            .flatMap(address -> Optional.ofNullable(repair.jobs().record(queue, address.birth())))
            .filter(job -> job.jobId(queue).equals(unique.jobId()));
    return holder.isPresent() && Arrays.equals(holder.get().uniqueKey(), UniqueKeys.uniqueKey(key));
  }
}
