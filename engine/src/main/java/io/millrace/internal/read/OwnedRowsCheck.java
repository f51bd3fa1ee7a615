package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.format.UniqueRecord;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The check of rows that jobs own beside their records: the job is there and agrees with them. */
final class OwnedRowsCheck {

  private static final long NO_BIRTH = -1;

  private final QueueRows rows;
  private final int queue;
  private final long epoch;
  private final Findings findings;

  /**
   * The birth of the job of the last row of BLOB or HISTORY: the rows of one job are neighbours.
   */
  private long lastBirth = NO_BIRTH;

  private @Nullable JobRecord lastJob;

  /** The key of the last row that names signals for one job: those of their payloads follow. */
  private byte @Nullable [] lastInboxKey;

  private BitSet lastSlots = new BitSet();

  OwnedRowsCheck(QueueRows rows, long epoch, Findings findings) {
    this.rows = rows;
    this.queue = rows.queue();
    this.epoch = epoch;
    this.findings = findings;
  }

  void run() {
    eachRow(Keyspace.LEASE, this::checkLease);
    eachRow(Keyspace.MOVED, this::checkMoved);
    eachRow(Keyspace.BLOB, this::checkOfJob);
    eachRow(Keyspace.HISTORY, this::checkOfJob);
    eachRow(Keyspace.UNIQUE, this::checkUnique);
    eachRow(Keyspace.SIGNAL, this::checkSignal);
  }

  private void eachRow(Keyspace keyspace, Consumer<Row> rowCheck) {
    rows.eachChunk(keyspace, chunk -> chunk.forEach(rowCheck));
  }

  private void checkLease(Row row) {
    LeaseRecord lease = findings.decode(row, LeaseRecord::decode);
    if (lease == null) {
      return;
    }
    long birth = LeaseKeys.birth(row.key());
    byte[] readyKey = lease.readyKey(queue);
    if (rows.sound().job(readyKey, queue, birth) == null) {
      findings.problem(
          row.key(), "the leased job is not at its READY key: ready=" + Bytes.hex(readyKey));
    }
    if (!lease.mayBeOn(birth, epoch)) {
      findings.problem(
          row.key(),
          "the lease token is of no epoch that could have given it: token="
              + lease.token()
              + ", store's epoch="
              + epoch);
    }
  }

  private void checkMoved(Row row) {
    MovedRecord moved = findings.decode(row, MovedRecord::decode);
    if (moved != null && rows.sound().job(moved.key(), queue, MovedKeys.birth(row.key())) == null) {
      findings.problem(
          row.key(), "the job is not where the row leads to: to=" + Bytes.hex(moved.key()));
    }
  }

  private void checkOfJob(Row row) {
    if (!findings.isSound(row)) {
      return;
    }
    long birth = JobKeys.sequence(row.key());
    if (birth != lastBirth) {
      lastBirth = birth;
      lastJob = rows.locate(birth);
    }
    String misfit = OwnedRows.misfit(row.key(), row.value(), lastJob);
    if (misfit != null) {
      findings.problem(row.key(), misfit);
    }
  }

  /**
   * Checks that the job that the row names holds the unique key. A key that is taken for a time may
   * outlive its job, and has a timer that frees it.
   */
  private void checkUnique(Row row) {
    UniqueRecord unique = findings.decode(row, UniqueRecord::decode);
    if (unique == null) {
      return;
    }
    byte[] key = row.key();
    boolean isTimed = unique.scope() == UniqueRecord.FOR;
    StoredJob holder = find(unique.jobId());
    if (holder == null && !isTimed) {
      findings.problem(key, "the unique key's job does not exist: job=" + unique.jobId());
    } else if (holder != null && !OwnedRows.holds(holder.key(), holder.record(), key, unique)) {
      findings.problem(
          key, "the job that the row names does not hold the unique key: job=" + unique.jobId());
    }
    Row timer = OwnedRows.timer(key, unique);
    if (isTimed && (timer == null || !rows.all().has(timer.key()))) {
      findings.problem(
          key, "no TIMER row frees the unique key at its time: expiry=" + unique.expiryMs());
    }
  }

  /**
   * Checks a row of SIGNAL. A signal that is kept for a job goes with the job; one that is kept for
   * all has a timer that ends its time.
   */
  private void checkSignal(Row row) {
    if (!findings.isSound(row)) {
      return;
    }
    if (InboxKeys.isOne(row.key())) {
      checkInbox(row.key(), InboxRecord.decode(row.key(), row.value()));
      return;
    }
    if (InboxPayloadKeys.isOne(row.key())) {
      boolean isNamed = Arrays.equals(lastInboxKey, InboxPayloadKeys.inbox(row.key()));
      if (!isNamed || !lastSlots.get(InboxPayloadKeys.slot(row.key()))) {
        findings.problem(row.key(), "no signal that is kept for a job has the payload");
      }
      return;
    }
    SignalRecord broadcast = SignalRecord.decode(row.key(), row.value());
    byte[] timerKey = OwnedRows.timer(row.key(), broadcast).key();
    if (!rows.all().has(timerKey)) {
      findings.problem(
          row.key(), "no TIMER row forgets the signal in its time: timer=" + Bytes.hex(timerKey));
    }
  }

  private void checkInbox(byte[] key, InboxRecord inbox) {
    lastInboxKey = key;
    lastSlots = inbox.slots();
    long birth = InboxKeys.birth(key);
    JobRecord job = rows.locate(birth);
    if (job == null) {
      findings.problem(key, "the job that the signals are kept for does not exist");
    } else if (!inbox.isKnownTo(job)) {
      findings.problem(
          key, "the job does not know how many signals are kept for it: " + job.inboxCount());
    }
    for (int slot : lastSlots.stream().toArray()) {
      if (!rows.all().has(InboxPayloadKeys.key(queue, birth, slot))) {
        findings.problem(key, "the payload of a signal is missing: slot=" + slot);
      }
    }
  }

  private @Nullable StoredJob find(JobId id) {
    Optional<JobAddress> address = JobAddress.of(id).filter(found -> found.queue() == queue);
    try {
      return address.flatMap(new JobFinder(rows.all())::find).orElse(null);
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
