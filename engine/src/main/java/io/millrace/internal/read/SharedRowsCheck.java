package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The check of keyspaces whose rows are not by queue: agenda, timers, tables, quarantine. */
final class SharedRowsCheck {

  private final ShortViews views;
  private final Findings findings;

  SharedRowsCheck(ShortViews views, Findings findings) {
    this.views = views;
    this.findings = findings;
  }

  void run() {
    views.eachChunk(
        KeyRange.of(Keyspace.AGENDA),
        (rows, chunk) -> chunk.forEach(row -> checkAgenda(rows, row)));
    views.eachChunk(
        KeyRange.of(Keyspace.SIGNAL, BroadcastKeys.QUEUE),
        (rows, chunk) -> chunk.forEach(findings::isSound));
    views.eachChunk(
        KeyRange.of(Keyspace.TIMER), (rows, chunk) -> chunk.forEach(row -> checkTimer(rows, row)));
    views.eachChunk(KeyRange.of(Keyspace.TABLE), new TablesCheck(findings)::check);
    views.eachChunk(
        KeyRange.of(Keyspace.QUARANTINE), (rows, chunk) -> findings.addQuarantined(chunk.size()));
  }

  /**
   * Checks a row of the agenda. The counters name one time, and it is the only one: so a queue has
   * at most one row.
   */
  private void checkAgenda(ViewRows rows, Row row) {
    if (!findings.isSound(row) || !isLive(rows, row)) {
      return;
    }
    CountersRecord counters;
    try {
      counters = rows.counters(AgendaKeys.queue(row.key()));
    } catch (CorruptDataException e) {
      return;
    }
    if (counters.agendaAtMs() != AgendaKeys.timeMs(row.key())) {
      findings.problem(
          row.key(), "the queue's counters name another time: agendaAt=" + counters.agendaAtMs());
    }
  }

  private void checkTimer(ViewRows rows, Row row) {
    TimerRecord timer = findings.decode(row, TimerRecord::decode);
    if (timer == null || !isLive(rows, row)) {
      return;
    }
    TimerKeys.Kind kind = TimerKeys.kind(row.key());
    if (kind.isOfJob()) {
      checkJobTimer(rows, row.key(), timer);
    } else if (kind == TimerKeys.Kind.UNIQUE_EXPIRY) {
      checkUniqueTimer(rows, row.key(), timer);
    }
    // The record of a kept signal holds its time; a row that does not agree with that means
    // nothing.
  }

  /**
   * Checks that the timer's unique key is taken until its time: whoever takes a key, or frees it,
   * sees to its timer in the same batch.
   */
  private void checkUniqueTimer(ViewRows rows, byte[] key, TimerRecord timer) {
    byte[] rowKey = timer.owner();
    UniqueRecord unique =
        Keyspace.find(rowKey) == Keyspace.UNIQUE && RowCheck.flaw(rowKey) == null
            ? new SoundRows(rows).get(rowKey, UniqueRecord::decode)
            : null;
    Row right = unique == null ? null : OwnedRows.timer(rowKey, unique);
    if (right == null || !Arrays.equals(right.key(), key)) {
      findings.problem(
          key, "the timer's unique key is not taken until then: row=" + Bytes.hex(rowKey));
    }
  }

  /**
   * Checks that the timer agrees with its job's record: whoever ends what it times deletes it in
   * the same batch.
   */
  private void checkJobTimer(ViewRows rows, byte[] key, TimerRecord timer) {
    StoredJob job = locate(rows, key, timer);
    if (job == null) {
      findings.problem(key, "the timer's job does not exist");
      return;
    }
    boolean isLeased =
        Keyspace.ofKey(job.key()) == Keyspace.READY
            && rows.has(LeaseKeys.key(job.queue(), job.record().birth()));
    Row right = isLeased ? null : OwnedRows.timer(job.key(), job.record());
    if (right == null || !Arrays.equals(right.key(), key)) {
      findings.problem(key, "the timer does not agree with its job: job=" + Bytes.hex(job.key()));
    }
  }

  /**
   * Returns the timer's job. A job that moved since has a MOVED row; one that did not is at the key
   * that the timer names.
   */
  private static @Nullable StoredJob locate(ViewRows rows, byte[] key, TimerRecord timer) {
    int queue = TimerKeys.queue(key);
    long birth = TimerKeys.birthOrHash(key);
    if (birth < 0) {
      return null;
    }
    SoundRows sound = new SoundRows(rows);
    MovedRecord moved = sound.moved(queue, birth);
    byte[] place = moved == null ? timer.owner() : moved.key();
    JobRecord record = sound.job(place, queue, birth);
    return record == null ? null : new StoredJob(queue, place, record, null);
  }

  /** Tells whether the row's queue is there; adds a problem if there never was one. */
  private boolean isLive(ViewRows rows, Row row) {
    int queue = Keyspace.queue(row.key());
    QueuePresence presence = QueuePresence.of(rows::get, queue);
    if (presence == QueuePresence.UNKNOWN) {
      findings.problem(row.key(), "the row's queue does not exist: number=" + queue);
    }
    return presence == QueuePresence.LIVE;
  }
}
