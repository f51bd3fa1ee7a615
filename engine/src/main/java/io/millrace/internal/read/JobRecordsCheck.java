package io.millrace.internal.read;

import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Recount;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TimerKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The check of job records: each decodes, is the only one of its job, and has its payload.
 *
 * <p>Two records of one job cannot both pass: one that is not where it was born needs the job's
 * only MOVED row, and one that is where it was born must have none. What is left are two that were
 * born at one sequence of two priorities, which are looked for by key.
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

  /** Whether a job has a concurrency key of its queue. */
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
        if (record.engineMost() > 0) {
          findings.noteEngineKey();
        } else {
          hasKeys |= record.concurrencyKey() != null;
        }
      }
    }
    count(keyspace, jobs);
    checkPlaces(jobs);
    if (keyspace == Keyspace.READY) {
      checkOtherPriorities(jobs);
    }
    for (StoredJob job : jobs) {
      checkPayload(job);
      checkTimer(job);
    }
    new UniqueCheck(queueRows, findings).checkHolders(jobs);
  }

  private void count(Keyspace keyspace, List<StoredJob> jobs) {
    if (keyspace == Keyspace.READY) {
      countReady(jobs);
    } else {
      jobs.forEach(job -> recount.add(job.key()));
    }
  }

  private void countReady(List<StoredJob> jobs) {
    List<byte[]> leaseKeys = new ArrayList<>(jobs.size());
    for (StoredJob job : jobs) {
      leaseKeys.add(LeaseKeys.key(queue, job.record().birth()));
    }
    List<byte @Nullable []> leases = rows.getAll(leaseKeys);
    for (int i = 0; i < jobs.size(); i++) {
      if (leases.get(i) != null) {
        recount.addLeased();
      } else {
        recount.add(jobs.get(i).key());
      }
    }
  }

  private void checkPlaces(List<StoredJob> jobs) {
    List<byte[]> movedKeys = new ArrayList<>(jobs.size());
    for (StoredJob job : jobs) {
      movedKeys.add(MovedKeys.key(queue, job.record().birth()));
    }
    List<byte @Nullable []> movedValues = rows.getAll(movedKeys);
    for (int i = 0; i < jobs.size(); i++) {
      checkPlace(jobs.get(i), movedKeys.get(i), movedValues.get(i));
    }
  }

  private void checkPlace(StoredJob job, byte[] movedKey, byte @Nullable [] movedValue) {
    if (movedValue == null) {
      if (!isWhereBorn(job)) {
        findings.problem(
            job.key(), "no MOVED row leads to the job, which is not where it was born");
      }
      return;
    }
    MovedRecord moved = queueRows.sound().get(movedKey, MovedRecord::decode);
    if (moved == null) {
      return;
    }
    if (isWhereBorn(job)) {
      findings.problem(
          job.key(),
          "a MOVED row leads elsewhere than to the job, which is where it was born: to="
              + Bytes.hex(moved.key()));
    } else if (!Arrays.equals(moved.key(), job.key())) {
      findings.problem(
          job.key(), "the MOVED row leads elsewhere than to the job: to=" + Bytes.hex(moved.key()));
    }
  }

  private boolean isWhereBorn(StoredJob job) {
    return job.record().address(queue).isBirthKey(job.key());
  }

  /** Looks from each job to lower priorities only, so that a pair is reported once. */
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
              higher.get(i).key(),
              "two ready jobs have one sequence: other=" + Bytes.hex(keys.get(i)));
        }
      }
    }
  }

  private void checkPayload(StoredJob job) {
    for (Payload.InBlob blob : job.record().blobs()) {
      byte[] blobKey = BlobKeys.key(queue, job.record().birth(), blob.version());
      if (!rows.has(blobKey)) {
        findings.problem(job.key(), "the job's payload is missing: blob=" + Bytes.hex(blobKey));
        findings.missing(blobKey);
      }
    }
  }

  /** A job that names a time has the row that says so, unless it is leased. */
  private void checkTimer(StoredJob job) {
    JobRecord record = job.record();
    TimerKeys.Kind kind = TimerKeys.Kind.in(Keyspace.ofKey(job.key()));
    long timerMs = record.timerMs(Keyspace.ofKey(job.key()));
    if (kind == null || timerMs == 0) {
      return;
    }
    byte[] timerKey = TimerKeys.key(timerMs, queue, kind, record.birth());
    boolean isLeased =
        kind == TimerKeys.Kind.TIME_TO_LIVE && rows.has(LeaseKeys.key(queue, record.birth()));
    if (!isLeased && !rows.has(timerKey)) {
      findings.problem(
          job.key(), "no TIMER row is where the job says: timer=" + Bytes.hex(timerKey));
    }
  }
}
