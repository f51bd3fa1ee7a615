package io.millrace.internal.read;

import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A finder of jobs by id: looks where they were born, else where their MOVED row says. */
final class JobFinder {

  private final ViewRows rows;

  JobFinder(ViewRows rows) {
    this.rows = rows;
  }

  /** Returns the job at the address; empty if there is none, whatever else is wrong. */
  Optional<StoredJob> find(JobAddress address) {
    if (address.birthKind() == Keyspace.READY) {
      StoredJob unmoved = at(address.birthReadyKey(), address);
      if (unmoved != null) {
        return Optional.of(unmoved);
      }
    }
    byte[] movedKey = MovedKeys.key(address.queue(), address.birth());
    MovedRecord moved = rows.get(movedKey, MovedRecord::decode);
    return moved != null && isOfJobs(moved.key(), address.queue())
        ? Optional.ofNullable(at(moved.key(), address))
        : Optional.empty();
  }

  /** Tells whether a job's record may be at the key, by its keyspace and queue. */
  static boolean isOfJobs(byte[] key, int queue) {
    Keyspace keyspace = Keyspace.find(key);
    return keyspace != null && keyspace.isOfJobs() && Keyspace.queue(key) == queue;
  }

  private @Nullable StoredJob at(byte[] key, JobAddress address) {
    JobRecord record = rows.get(key, JobRecord::decode);
    if (record == null || !isOf(record, address)) {
      return null;
    }
    LeaseRecord lease = null;
    if (Keyspace.ofKey(key) == Keyspace.READY) {
      lease = rows.get(LeaseKeys.key(address.queue(), address.birth()), LeaseRecord::decode);
    }
    return new StoredJob(address.queue(), key, record, lease);
  }

  /**
   * Tells whether the record is of the job at the address. An id that was made up may differ from
   * the job's in all but the birth sequence.
   */
  private static boolean isOf(JobRecord record, JobAddress address) {
    JobId id = record.jobId(address.queue());
    return id.equals(address.toJobId());
  }
}
