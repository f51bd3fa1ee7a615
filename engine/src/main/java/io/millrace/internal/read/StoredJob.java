package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.Payload;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job's record, where it is, and the lease on it if there is one.
 *
 * @param queue the number of its queue
 * @param key where the record is, in a keyspace of jobs
 */
record StoredJob(int queue, byte[] key, JobRecord record, @Nullable LeaseRecord lease) {

  /** The state of a job whose record is in the keyspace and not leased. */
  static JobState stateIn(Keyspace keyspace) {
    return switch (keyspace) {
      case READY -> JobState.READY;
      case DELAYED -> JobState.DELAYED;
      case BLOCKED -> JobState.BLOCKED;
      case WAITING -> JobState.WAITING;
      case DEAD -> JobState.DEAD;
      case DONE -> JobState.DONE;
      default -> throw new IllegalArgumentException("no jobs are in the keyspace: " + keyspace);
    };
  }

  JobState state() {
    return lease != null ? JobState.LEASED : stateIn(Keyspace.ofKey(key));
  }

  /** How many starts have counted, the running one included. */
  int attempts() {
    return lease != null ? lease.attempt() : record.attempts();
  }

  /** About how long payload and headers are that are not in the record, in bytes. */
  int blobBytes() {
    return record.payload() instanceof Payload.InBlob blob ? blob.lengthBytes() : 0;
  }

  /**
   * The job as users see it.
   *
   * @throws CorruptDataException its payload is damaged or missing
   */
  Job toJob(QueueName name, Rows rows) {
    Payload.Inline payload = payload(rows);
    JobState state = state();
    return new Job(
        record.jobId(queue),
        name,
        state,
        record.priority(),
        record.weight(),
        payload.payload(),
        payload.headers(),
        attempts(),
        record.maxAttempts(),
        record.backoff(),
        Instant.ofEpochMilli(record.enqueuedAtMs()),
        state == JobState.DELAYED ? time(visibleAtMs(rows)) : Optional.empty(),
        Optional.ofNullable(record.lastError()),
        state == JobState.DEAD ? time(DeadKeys.timeMs(key)) : Optional.empty(),
        Optional.ofNullable(lease).map(StoredJob::running));
  }

  /** In engine time, as of the view's last commit; the ends of lengths are kept in steady time. */
  private long visibleAtMs(Rows rows) {
    long endMs = DelayedKeys.visibleAtMs(key);
    return record.delayBaseMs() == 0 ? endMs : endMs - rows.steadyLeadMs();
  }

  private static Optional<Instant> time(long ms) {
    return Optional.of(Instant.ofEpochMilli(ms));
  }

  private Payload.Inline payload(Rows rows) {
    if (record.payload() instanceof Payload.Inline inline) {
      return inline;
    }
    Payload.InBlob blob = (Payload.InBlob) record.payload();
    byte[] blobKey = BlobKeys.key(queue, record.birth(), blob.version());
    BlobRecord stored = rows.get(blobKey, BlobRecord::decode);
    if (stored == null) {
      throw rows.missing("stored payload", blobKey);
    }
    return new Payload.Inline(stored.payload(), stored.headers());
  }

  private static Job.Running running(LeaseRecord lease) {
    return new Job.Running(
        lease.token(),
        lease.worker(),
        Instant.ofEpochMilli(lease.startedAtMs()),
        lease.cancelRequested());
  }
}
