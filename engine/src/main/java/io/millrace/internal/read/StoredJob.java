package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.Row;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job's record, where it is, and the lease on it if there is one.
 *
 * @param queue the number of its queue
 * @param key the key of the record, in a keyspace of jobs
 */
record StoredJob(int queue, byte[] key, JobRecord record, @Nullable LeaseRecord lease) {

  /** Returns the jobs of READY rows, null for each that is leased. */
  static List<@Nullable StoredJob> unleased(ViewRows rows, int queue, List<Row> chunk) {
    List<JobRecord> records = new ArrayList<>(chunk.size());
    List<byte[]> leaseKeys = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = rows.decode(row.key(), row.value(), JobRecord::decode);
      records.add(record);
      leaseKeys.add(LeaseKeys.key(queue, record.birth()));
    }
    List<byte @Nullable []> leases = rows.getAll(leaseKeys);
    List<@Nullable StoredJob> jobs = new ArrayList<>(chunk.size());
    for (int i = 0; i < chunk.size(); i++) {
      boolean isLeased = leases.get(i) != null;
      jobs.add(isLeased ? null : new StoredJob(queue, chunk.get(i).key(), records.get(i), null));
    }
    return jobs;
  }

  JobState state() {
    return lease != null
        ? JobState.LEASED
        : Objects.requireNonNull(Keyspace.ofKey(key).state(), "state");
  }

  /** Returns how many starts have counted, the running one included. */
  int attempts() {
    return lease != null ? lease.attempt() : record.attempts();
  }

  /** Returns the job's type: its own, or else the name of its queue, which is given. */
  String type(QueueName name) {
    String own = record.type();
    return own == null ? name.name() : own;
  }

  /** Returns the unique key that the job was enqueued with. */
  @Nullable String uniqueKey() {
    byte[] key = record.uniqueKey();
    return key == null ? null : new String(key, StandardCharsets.UTF_8);
  }

  /** Returns about how many bytes of payload, headers and state are not in the record. */
  long blobBytes() {
    return record.blobs().stream().mapToLong(Payload.InBlob::lengthBytes).sum();
  }

  /**
   * Returns when the job is dropped or removed, in engine time as of the view's last commit; 0 for
   * never.
   */
  long expireAtMs(ViewRows rows) {
    return engineMs(record.expireAtMs(), rows);
  }

  /**
   * Returns the deadline of the job's wait for a signal, in engine time as of the view's last
   * commit; 0 for none.
   */
  long deadlineMs(ViewRows rows) {
    long steadyMs = record.waitSteadyEndMs();
    return steadyMs == 0 ? record.waitInstantMs() : engineMs(steadyMs, rows);
  }

  private static long engineMs(long steadyMs, ViewRows rows) {
    return steadyMs == 0 ? 0 : steadyMs - rows.steadyLeadMs();
  }

  /**
   * Returns the finished attempts that are kept, the oldest first.
   *
   * @throws CorruptDataException one of them is damaged
   */
  List<FinishedAttempt> history(ViewRows rows) {
    KeyRange all =
        new KeyRange(
            HistoryKeys.jobStart(queue, record.birth()), HistoryKeys.jobEnd(queue, record.birth()));
    List<FinishedAttempt> history = new ArrayList<>();
    for (Row row : rows.chunk(all, Limits.HISTORY_COUNT_MAX)) {
      HistoryRecord attempt = rows.decode(row.key(), row.value(), HistoryRecord::decode);
      history.add(
          new FinishedAttempt(
              attempt.attempt(),
              Instant.ofEpochMilli(attempt.startedAtMs()),
              Instant.ofEpochMilli(attempt.endedAtMs()),
              attempt.worker(),
              Optional.ofNullable(attempt.error())));
    }
    return history;
  }

  /**
   * Returns when the job becomes visible, in engine time as of the view's last commit. The ends of
   * lengths of time are kept in steady time.
   */
  long visibleAtMs(ViewRows rows) {
    long endMs = DelayedKeys.visibleAtMs(key);
    return record.delayBaseMs() == 0 ? endMs : engineMs(endMs, rows);
  }

  /**
   * Returns the content of the payload or of the checkpoint, which are of the record.
   *
   * @throws CorruptDataException its row is damaged or missing
   */
  Payload.Inline content(Payload content, ViewRows rows) {
    if (content instanceof Payload.Inline inline) {
      return inline;
    }
    Payload.InBlob blob = (Payload.InBlob) content;
    byte[] blobKey = BlobKeys.key(queue, record.birth(), blob.version());
    BlobRecord stored = rows.get(blobKey, BlobRecord::decode);
    if (stored == null) {
      throw rows.missing("stored payload", blobKey);
    }
    return new Payload.Inline(stored.payload(), stored.headers());
  }
}
