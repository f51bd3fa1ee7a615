package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Other jobs than the one that is asked about, which may hold it back. Damaged ones are passed
 * over.
 */
final class Neighbours {

  private final ViewRows rows;

  Neighbours(ViewRows rows) {
    this.rows = rows;
  }

  /** Returns the jobs of READY rows that are not leased. */
  List<StoredJob> unleased(List<Row> chunk) {
    List<StoredJob> jobs = new ArrayList<>(chunk.size());
    List<byte[]> leaseKeys = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = job(row.key(), row.value());
      if (record != null) {
        int queue = Keyspace.queue(row.key());
        jobs.add(new StoredJob(queue, row.key(), record, null));
        leaseKeys.add(LeaseKeys.key(queue, record.birth()));
      }
    }
    List<byte @Nullable []> leases = rows.getAll(leaseKeys);
    List<StoredJob> unleased = new ArrayList<>(jobs.size());
    for (int i = 0; i < jobs.size(); i++) {
      if (leases.get(i) == null) {
        unleased.add(jobs.get(i));
      }
    }
    return unleased;
  }

  /** Returns the job whose record is at the key; null if it is damaged. */
  @Nullable JobRecord job(byte[] key, byte[] value) {
    return orNull(key, () -> rows.decode(key, value, JobRecord::decode));
  }

  /** A look at something that may be damaged. */
  interface Question<T> {
    @Nullable T answer();
  }

  /** Returns the answer; null if the row at the key is damaged. */
  <T> @Nullable T orNull(byte[] key, Question<T> question) {
    try {
      return question.answer();
    } catch (CorruptDataException e) {
      rows.passOver(key);
      return null;
    }
  }
}
