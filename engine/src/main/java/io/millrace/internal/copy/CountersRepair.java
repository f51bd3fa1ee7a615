package io.millrace.internal.copy;

import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import org.jspecify.annotations.Nullable;

/** Counts and agenda of each queue, as its jobs are; those that were right stay as they were. */
final class CountersRepair {

  private static final byte[] NOTHING = {};

  /** The agenda row of a queue that is being emptied says so by this time. */
  private static final long DROPPED_AGENDA_MS = 0;

  private final Repair repair;

  CountersRepair(Repair repair) {
    this.repair = repair;
  }

  void run() {
    repair.eachOfTarget(
        Keyspace.QUEUE_NAME,
        (key, value) -> {
          int queue = QueueNameKeys.queue(key);
          boolean isLive = QueueNameRecord.decode(key, value).state() == QueueNameRecord.State.LIVE;
          if (isLive) {
            repairQueue(queue);
          } else {
            repair.target().put(AgendaKeys.key(DROPPED_AGENDA_MS, queue), NOTHING);
          }
        });
    repair.eachOfSource(Keyspace.COUNTERS, this::reportOrphan);
    repair.eachOfSource(Keyspace.AGENDA, this::reportAgenda);
  }

  private void repairQueue(int queue) {
    QueueRecount recount =
        QueueRecount.of(repair.target(), queue, repair.lastTime().steadyLeadMs());
    byte[] key = CounterKeys.key(queue);
    byte[] value = repair.source().get(key);
    String flaw = value == null ? null : RowFormat.flaw(key, value);
    CountersRecord stored =
        value == null || flaw != null ? null : CountersRecord.decode(key, value);
    CountersRecord compared = stored == null ? CountersRecord.empty() : stored;
    boolean isRight =
        flaw == null && recount.agrees(compared) && isAgendaThere(queue, compared, recount);
    if (isRight && value == null) {
      return;
    }
    CountersRecord right = isRight ? compared : corrected(queue, compared, recount);
    if (!isRight) {
      repair.log().rebuilt(key, finding(value, flaw));
    }
    repair.target().put(key, right.encode(key));
    if (right.agendaAtMs() != CountersRecord.NONE) {
      repair.target().put(AgendaKeys.key(right.agendaAtMs(), queue), NOTHING);
    }
  }

  private static String finding(byte @Nullable [] value, @Nullable String flaw) {
    if (flaw != null) {
      return flaw + "; totals begin at zero";
    }
    return value == null
        ? "row was missing; totals begin at zero"
        : "counts or agenda did not agree with the jobs";
  }

  /**
   * Where the counts are right, so is the time: a row that is later than it would be by today's
   * clocks was right by those of its day.
   */
  private boolean isAgendaThere(int queue, CountersRecord stored, QueueRecount recount) {
    long dueMs = recount.dueMs(repair.nowMs());
    return stored.agendaAtMs() == CountersRecord.NONE
        ? dueMs == CountersRecord.NONE
        : repair.source().get(AgendaKeys.key(stored.agendaAtMs(), queue)) != null;
  }

  /**
   * A row that is too early is only looked at in vain; one that is too late leaves jobs waiting.
   */
  private boolean isAgendaRight(int queue, CountersRecord stored, QueueRecount recount) {
    return isAgendaThere(queue, stored, recount)
        && stored.agendaAtMs() <= recount.dueMs(repair.nowMs());
  }

  private CountersRecord corrected(int queue, CountersRecord stored, QueueRecount recount) {
    long agendaAtMs = recount.dueMs(repair.nowMs());
    if (isAgendaRight(queue, stored, recount)) {
      agendaAtMs = stored.agendaAtMs();
    } else if (recount.isEmpty()
        && repair.queues().settings(queue).origin() == QueueRecord.Origin.SELF_MADE) {
      // Looked at, it is removed when it has been empty for long.
      agendaAtMs = repair.nowMs();
    }
    long emptySinceMs = recount.isEmpty() ? repair.nowMs() : 0;
    return recount.counters(stored.totals(), agendaAtMs, emptySinceMs);
  }

  private void reportOrphan(byte[] key, byte[] value) {
    QueueRepair.State state = repair.queues().state(RowFormat.queue(key));
    if (state != QueueRepair.State.DROPPED && !repair.target().has(key)) {
      String flaw = RowFormat.flaw(key, value);
      repair.log().dropped(key, flaw == null ? "row's queue is not there" : flaw);
    }
  }

  private void reportAgenda(byte[] key, byte[] value) {
    if (!repair.target().has(key)) {
      String flaw = RowFormat.flaw(key, value);
      repair.log().dropped(key, flaw == null ? "no queue's counters name the row" : flaw);
    } else if (value.length > 0) {
      repair.log().rebuilt(key, "value was not empty");
    }
  }
}
