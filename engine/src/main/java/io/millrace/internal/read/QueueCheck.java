package io.millrace.internal.read;

import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.Recount;
import io.millrace.internal.format.Row;

/**
 * The comparison of one queue's rows with each other, through one view: records, the rows that jobs
 * own beside them, and the counters. Each connection is looked at from both of its ends.
 */
final class QueueCheck {

  private final QueueRows rows;
  private final long epoch;
  private final Findings findings;
  private final Recount recount = new Recount();

  /**
   * Creates a check of the queue.
   *
   * @param epoch the store's epoch: no token is of a later one
   */
  QueueCheck(QueueRows rows, long epoch, Findings findings) {
    this.rows = rows;
    this.epoch = epoch;
    this.findings = findings;
  }

  void run() {
    findings.addQueue();
    JobRecordsCheck jobs = new JobRecordsCheck(rows, recount, findings);
    jobs.run();
    new OwnedRowsCheck(rows, epoch, findings).run();
    KeyRange slots = KeyRange.of(Keyspace.SLOT, rows.queue());
    if (jobs.hasKeys() || !rows.all().chunk(slots, 1).isEmpty()) {
      SlotCheck.ofQueue(rows, limit(), findings);
    }
    boolean[] hasCounters = {false};
    rows.eachChunk(
        Keyspace.COUNTERS,
        chunk -> {
          hasCounters[0] = true;
          chunk.forEach(this::checkCounters);
        });
    if (!hasCounters[0]) {
      compare(CountersRecord.empty());
    }
  }

  private SlotCheck.Limit limit() {
    byte[] nameKey = QueueNameKeys.key(rows.queue());
    QueueNameRecord named = rows.sound().get(nameKey, QueueNameRecord::decode);
    CountersRecord counters =
        rows.sound().get(CounterKeys.key(rows.queue()), CountersRecord::decode);
    int perKey = named == null ? 1 : rows.all().settings(named.name()).perKey();
    return new SlotCheck.Limit(perKey, counters == null || counters.perKeyDone() < perKey);
  }

  private void checkCounters(Row row) {
    CountersRecord counters = findings.decode(row, CountersRecord::decode);
    if (counters != null) {
      compare(counters);
    }
  }

  /** Compares the stored counters with the rows. */
  private void compare(CountersRecord stored) {
    byte[] key = CounterKeys.key(rows.queue());
    recount.compare(stored, difference -> findings.problem(key, difference));
    // A queue that has something to serve, now or later, must be looked at in time.
    boolean hasAgenda = stored.agendaAtMs() != CountersRecord.NONE;
    boolean isServed = recount.count(JobState.READY) + recount.count(JobState.DELAYED) > 0;
    if (!hasAgenda && isServed) {
      findings.problem(key, "the queue has ready or delayed jobs and no AGENDA row");
    }
    if (hasAgenda && !rows.all().has(AgendaKeys.key(stored.agendaAtMs(), rows.queue()))) {
      findings.problem(
          key, "no AGENDA row is where the counters say: agendaAt=" + stored.agendaAtMs());
    }
  }
}
