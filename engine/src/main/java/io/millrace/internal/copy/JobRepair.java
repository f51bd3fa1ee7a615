package io.millrace.internal.copy;

import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.StateTraits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The repair of job records: each that is whole and has its payload is kept, once for each job. */
final class JobRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;

  JobRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
  }

  void run() {
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      stores.eachOfSource(keyspace, this::repairJob);
    }
  }

  private void repairJob(byte[] key, byte[] value) {
    int queue = Keyspace.queue(key);
    if (queues.presence(queue) == QueuePresence.DROPPED) {
      return;
    }
    String flaw = RowCheck.flaw(key, value);
    JobRecord job = flaw == null ? JobRecord.decode(key, value) : null;
    if (job != null) {
      flaw = blobFlaw(queue, job, "payload", job.payload());
    }
    if (job == null || flaw != null) {
      stores.log().setAside(key, value, flaw == null ? "row is damaged" : flaw);
      return;
    }
    queues.recover(queue);
    String stateFlaw = blobFlaw(queue, job, "state", job.checkpointed());
    boolean isSlotAmiss = job.holdsSlot() && !StateTraits.at(key).mayKeepSlot();
    if (stateFlaw == null && !isSlotAmiss) {
      put(queue, key, value, job);
      return;
    }
    JobRecordBuilder mended = job.toBuilder();
    if (stateFlaw != null) {
      mended.checkpointed(null);
      stores.log().rebuilt(key, stateFlaw + "; its next attempt starts without");
    }
    if (isSlotAmiss) {
      mended.set(JobField.HOLDS_SLOT, false);
      stores.log().rebuilt(key, "job keeps a slot where no job does; it has none");
    }
    JobRecord whole = mended.build();
    put(queue, key, whole.encode(key), whole);
  }

  private void put(int queue, byte[] key, byte[] value, JobRecord job) {
    byte[] otherKey = jobs.key(queue, job.birth());
    if (otherKey == null) {
      jobs.put(queue, key, value, job);
    } else {
      keepOne(queue, otherKey, key, value);
    }
  }

  private @Nullable String blobFlaw(
      int queue, JobRecord job, String what, @Nullable Payload content) {
    if (!(content instanceof Payload.InBlob blob)) {
      return null;
    }
    byte[] key = BlobKeys.key(queue, job.birth(), blob.version());
    byte[] value = stores.source().get(key);
    if (value == null) {
      return "job's " + what + " is missing: blob=" + Bytes.hex(key);
    }
    boolean isRight =
        RowCheck.flaw(key, value) == null
            && blob.isMet(blob.version(), BlobRecord.decode(key, value));
    return isRight ? null : "job's " + what + " is damaged: blob=" + Bytes.hex(key);
  }

  /**
   * Keeps one of two records of one job, by the rule that {@link Repair} tells, and sets the other
   * aside.
   */
  private void keepOne(int queue, byte[] otherKey, byte[] key, byte[] value) {
    byte[] otherValue = stores.target().get(otherKey);
    if (otherValue == null) {
      throw new IllegalStateException("job was lost: key=" + Bytes.hex(otherKey));
    }
    JobRecord other = JobRecord.decode(otherKey, otherValue);
    JobRecord job = JobRecord.decode(key, value);
    if (isBetter(queue, key, job, otherKey, other)) {
      jobs.replace(queue, otherKey, key, value, job);
      stores.log().setAside(otherKey, otherValue, twoStates(key));
    } else {
      stores.log().setAside(key, value, twoStates(otherKey));
    }
  }

  private static String twoStates(byte[] keptKey) {
    return "job is in two states; this record was set aside: kept=" + Bytes.hex(keptKey);
  }

  private boolean isBetter(int queue, byte[] key, JobRecord job, byte[] otherKey, JobRecord other) {
    byte[] led = ledTo(queue, job.birth());
    if (led != null && (Arrays.equals(led, key) || Arrays.equals(led, otherKey))) {
      return Arrays.equals(led, key);
    }
    int byAttempts = Integer.compare(lifeAttempts(job), lifeAttempts(other));
    if (byAttempts != 0) {
      return byAttempts > 0;
    }
    int byEnd = Long.compare(job.lastEndedAtMs(), other.lastEndedAtMs());
    if (byEnd != 0) {
      return byEnd > 0;
    }
    boolean isBorn = job.address(queue).isBirthKey(key);
    boolean isOtherBorn = other.address(queue).isBirthKey(otherKey);
    return isBorn == isOtherBorn ? nearnessToEnd(key) > nearnessToEnd(otherKey) : isBorn;
  }

  private byte @Nullable [] ledTo(int queue, long birth) {
    byte[] key = MovedKeys.key(queue, birth);
    byte[] value = stores.source().get(key);
    return value == null || RowCheck.flaw(key, value) != null
        ? null
        : MovedRecord.decode(key, value).key();
  }

  private static int lifeAttempts(JobRecord job) {
    return job.earlierAttempts() + job.attempts();
  }

  private static int nearnessToEnd(byte[] key) {
    return StateTraits.at(key).nearnessToEnd();
  }
}
