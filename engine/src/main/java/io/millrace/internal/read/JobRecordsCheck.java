package io.millrace.internal.read;

import static io.millrace.internal.format.Bytes.hex;

import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Recount;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.UniqueRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The check of job records: each decodes, is the only one of its job, and has its payload.
 *
 * <p>Two records of one job cannot both pass: one that is not where it was born needs the job's
 * only MOVED row, and one that is where it was born must have none. That leaves two records that
 * were born at one sequence of two priorities; they are looked for by key.
 */
final class JobRecordsCheck {

  private final QueueRows queueRows;
  private final ViewRows rows;
  private final int queue;
  private final Recount recount;
  private final Findings findings;
  private boolean hasKeys;

  JobRecordsCheck(QueueRows queueRows, Recount recount, Findings findings) {
    this.queueRows = queueRows;
    this.rows = queueRows.all();
    this.queue = queueRows.queue();
    this.recount = recount;
    this.findings = findings;
  }

  void run() {
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      queueRows.eachChunk(keyspace, chunk -> checkChunk(keyspace, chunk));
    }
  }

  /** Tells whether a job has a concurrency key of its queue. */
  boolean hasKeys() {
    return hasKeys;
  }

  private void checkChunk(Keyspace keyspace, List<Row> chunk) {
    List<StoredJob> jobs = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = findings.decode(row, JobRecord::decode);
      if (record != null) {
        findings.addJob();
        jobs.add(new StoredJob(queue, row.key(), record, null));
        if (record.tally() != 0 || record.tallyCondition() != 0) {
          findings.noteTally();
        }
        if (record.engineMost() > 0) {
          findings.noteEngineKey();
        } else {
          hasKeys |= record.concurrencyKey() != null;
        }
      }
    }
    Set<Long> leased = keyspace == Keyspace.READY ? leased(jobs) : Set.of();
    for (StoredJob job : jobs) {
      if (leased.contains(job.record().birth())) {
        recount.addLeased();
      } else {
        recount.add(job.key());
      }
    }
    checkOwned(jobs, leased);
    if (keyspace == Keyspace.READY) {
      checkOtherPriorities(jobs);
    }
    jobs.forEach(this::checkPayload);
  }

  /** Returns the births of the ready jobs on which there is a lease. */
  private Set<Long> leased(List<StoredJob> jobs) {
    List<byte[]> leaseKeys = new ArrayList<>(jobs.size());
    for (StoredJob job : jobs) {
      leaseKeys.add(LeaseKeys.key(queue, job.record().birth()));
    }
    Set<Long> leased = new HashSet<>();
    List<byte @Nullable []> leases = rows.getAll(leaseKeys);
    for (int i = 0; i < jobs.size(); i++) {
      if (leases.get(i) != null) {
        leased.add(jobs.get(i).record().birth());
      }
    }
    return leased;
  }

  /**
   * A row that a job owns.
   *
   * @param right the row as it should be; null if there should be none
   */
  private record Owned(StoredJob job, byte[] key, @Nullable Row right) {}

  /**
   * Checks that the rows are there that follow from the records. Of a key that is taken for a time
   * only its own row tells: engine time may be earlier after a restart than when the key was freed.
   */
  private void checkOwned(List<StoredJob> jobs, Set<Long> leased) {
    List<Owned> owned = new ArrayList<>(jobs.size());
    for (StoredJob job : jobs) {
      JobRecord record = job.record();
      boolean isLeased = leased.contains(record.birth());
      byte[] movedKey = MovedKeys.key(queue, record.birth());
      owned.add(new Owned(job, movedKey, OwnedRows.moved(job.key(), record)));
      Row timer = isLeased ? null : OwnedRows.timer(job.key(), record);
      if (timer != null) {
        owned.add(new Owned(job, timer.key(), timer));
      }
      Row unique = OwnedRows.unique(job.key(), record);
      if (unique != null && record.uniqueScope() != UniqueRecord.FOR) {
        owned.add(new Owned(job, unique.key(), unique));
      }
      if (isLeased && record.uniqueScope() == UniqueRecord.UNTIL_STARTED) {
        findings.problem(job.key(), "the job was started and holds a unique key until its start");
      }
    }
    List<byte @Nullable []> values = rows.getAll(owned.stream().map(Owned::key).toList());
    for (int i = 0; i < values.size(); i++) {
      String flaw = flaw(owned.get(i), values.get(i));
      if (flaw != null) {
        findings.problem(owned.get(i).job().key(), flaw);
      }
    }
  }

  /**
   * Returns how the row differs from what the job's record says; null if it does not, or if a check
   * of the row itself tells.
   */
  private @Nullable String flaw(Owned owned, byte @Nullable [] value) {
    byte[] key = owned.key();
    if (value != null && RowCheck.flaw(key, value) != null) {
      return null;
    }
    return switch (Keyspace.ofKey(key)) {
      case MOVED -> flaw(owned, value == null ? null : MovedRecord.decode(key, value));
      case UNIQUE -> flaw(owned, value == null ? null : UniqueRecord.decode(key, value));
      default -> value == null ? "no TIMER row is where the job says: timer=" + hex(key) : null;
    };
  }

  private static @Nullable String flaw(Owned owned, @Nullable MovedRecord moved) {
    boolean isWhereBorn = owned.right() == null;
    if (moved == null) {
      return isWhereBorn ? null : "no MOVED row leads to the job, which is not where it was born";
    }
    if (isWhereBorn) {
      return "a MOVED row leads elsewhere than to the job, which is where it was born: to="
          + hex(moved.key());
    }
    return Arrays.equals(moved.key(), owned.job().key())
        ? null
        : "the MOVED row leads elsewhere than to the job: to=" + hex(moved.key());
  }

  private static @Nullable String flaw(Owned owned, @Nullable UniqueRecord unique) {
    StoredJob job = owned.job();
    if (unique == null) {
      return "no UNIQUE row says that the job holds its key: row=" + hex(owned.key());
    }
    return OwnedRows.holds(job.key(), job.record(), owned.key(), unique)
        ? null
        : "the UNIQUE row of the job's key does not agree with it: row="
            + hex(owned.key())
            + ", names="
            + unique.jobId();
  }

  /**
   * Checks that no job has the sequence of one of lower priority. Jobs of higher ones are not
   * looked for, so that a pair is reported once.
   */
  private void checkOtherPriorities(List<StoredJob> jobs) {
    for (int priority : queueRows.priorities()) {
      List<StoredJob> higher = new ArrayList<>();
      List<byte[]> keys = new ArrayList<>();
      for (StoredJob job : jobs) {
        if (ReadyKeys.priority(job.key()) > priority) {
          higher.add(job);
          keys.add(ReadyKeys.key(queue, priority, ReadyKeys.sequence(job.key())));
        }
      }
      List<byte @Nullable []> others = rows.getAll(keys);
      for (int i = 0; i < others.size(); i++) {
        if (others.get(i) != null) {
          findings.problem(
              higher.get(i).key(), "two ready jobs have one sequence: other=" + hex(keys.get(i)));
        }
      }
    }
  }

  private void checkPayload(StoredJob job) {
    for (Payload.InBlob blob : job.record().blobs()) {
      byte[] blobKey = BlobKeys.key(queue, job.record().birth(), blob.version());
      if (!rows.has(blobKey)) {
        findings.problem(job.key(), "the job's payload is missing: blob=" + hex(blobKey));
        findings.missing(blobKey);
      }
    }
  }
}
