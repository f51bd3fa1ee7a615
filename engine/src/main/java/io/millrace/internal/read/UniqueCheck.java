package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The check of unique keys, from the jobs that hold them and from the rows that say who does. */
final class UniqueCheck {

  private final QueueRows rows;
  private final int queue;
  private final Findings findings;

  UniqueCheck(QueueRows rows, Findings findings) {
    this.rows = rows;
    this.queue = rows.queue();
    this.findings = findings;
  }

  /**
   * Each job that holds a key has the row that says so. Of a key that is taken for a time only the
   * rows tell: engine time may be earlier after a restart than when the key was freed.
   */
  void checkHolders(List<StoredJob> jobs) {
    List<StoredJob> holders = new ArrayList<>();
    List<byte[]> rowKeys = new ArrayList<>();
    for (StoredJob job : jobs) {
      byte[] uniqueKey = job.record().uniqueKey();
      if (uniqueKey != null && job.record().holdsUniqueKey(Keyspace.ofKey(job.key()))) {
        holders.add(job);
        rowKeys.add(UniqueKeys.key(queue, uniqueKey));
      }
    }
    if (holders.isEmpty()) {
      return;
    }
    List<byte @Nullable []> values = rows.all().getAll(rowKeys);
    for (int i = 0; i < holders.size(); i++) {
      checkHolder(holders.get(i), rowKeys.get(i), values.get(i));
    }
  }

  private void checkHolder(StoredJob job, byte[] rowKey, byte @Nullable [] value) {
    if (value == null) {
      findings.problem(
          job.key(), "no UNIQUE row says that the job holds its key: row=" + Bytes.hex(rowKey));
      return;
    }
    try {
      UniqueRecord unique = UniqueRecord.decode(rowKey, value);
      if (!unique.equals(UniqueRecord.of(queue, job.record()))) {
        findings.problem(
            job.key(),
            "the UNIQUE row of the job's key does not agree with it: row="
                + Bytes.hex(rowKey)
                + ", names="
                + unique.jobId());
      }
    } catch (CorruptDataException e) {
      // Reported by the check of the rows.
    }
    boolean isLeased =
        job.record().uniqueScope() == UniqueRecord.UNTIL_STARTED
            && Keyspace.ofKey(job.key()) == Keyspace.READY
            && rows.all().has(LeaseKeys.key(queue, job.record().birth()));
    if (isLeased) {
      findings.problem(job.key(), "the job was started and holds a unique key until its start");
    }
  }

  /**
   * The job that the row names holds the key. One that is taken for a time may outlive its job, and
   * has a timer that frees it.
   *
   * @param holder the job that the row names; null if it does not exist
   */
  void checkRow(byte[] key, UniqueRecord unique, @Nullable StoredJob holder) {
    boolean isTimed = unique.scope() == UniqueRecord.FOR;
    if (holder == null && !isTimed) {
      findings.problem(key, "the unique key's job does not exist: job=" + unique.jobId());
    } else if (holder != null && !agrees(key, unique, holder)) {
      findings.problem(
          key, "the job that the row names does not hold the unique key: job=" + unique.jobId());
    }
    if (isTimed && !hasTimer(key, unique)) {
      findings.problem(
          key, "no TIMER row frees the unique key at its time: expiry=" + unique.expiryMs());
    }
  }

  private boolean agrees(byte[] key, UniqueRecord unique, StoredJob holder) {
    return Arrays.equals(holder.record().uniqueKey(), UniqueKeys.uniqueKey(key))
        && UniqueRecord.of(queue, holder.record()).equals(unique)
        && (unique.scope() == UniqueRecord.FOR
            || holder.record().holdsUniqueKey(Keyspace.ofKey(holder.key())));
  }

  private boolean hasTimer(byte[] key, UniqueRecord unique) {
    return unique.expiryMs() >= 0
        && rows.all()
            .has(
                TimerKeys.key(
                    unique.expiryMs(),
                    queue,
                    TimerKeys.Kind.UNIQUE_EXPIRY,
                    TimerKeys.hash(UniqueKeys.uniqueKey(key))));
  }
}
