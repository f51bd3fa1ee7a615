package io.millrace.internal.copy;

import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueuePresence;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Recount;
import io.millrace.internal.format.RowCheck;
import org.jspecify.annotations.Nullable;

/**
 * The repair of each queue's counters and agenda row, which are made to agree with its jobs; those
 * that were right stay as they were.
 */
final class CountersRepair {

  private static final byte[] NOTHING = {};

  private final RepairStores stores;
  private final QueueRepair queues;
  private final long steadyLeadMs;

  CountersRepair(RepairStores stores, QueueRepair queues, long steadyLeadMs) {
    this.stores = stores;
    this.queues = queues;
    this.steadyLeadMs = steadyLeadMs;
  }

  /**
   * A recount of a queue's jobs in the new store.
   *
   * @param dueMs when, in engine time, the queue has to be looked at; {@link CountersRecord#NONE}
   *     if never
   */
  private record Counted(Recount recount, long dueMs) {

    boolean agrees(CountersRecord stored) {
      boolean[] agrees = {true};
      recount.compare(stored, difference -> agrees[0] = false);
      return agrees[0];
    }
  }

  void run() {
    stores.eachOfTarget(
        Keyspace.QUEUE_NAME,
        (key, value) -> {
          int queue = QueueNameKeys.queue(key);
          boolean isLive = QueueNameRecord.decode(key, value).state() == QueueNameRecord.State.LIVE;
          if (isLive) {
            repairQueue(queue);
          } else {
            stores.target().put(AgendaKeys.key(AgendaKeys.DROPPED_MS, queue), NOTHING);
          }
        });
    stores.eachOfSource(Keyspace.COUNTERS, this::reportOrphan);
    stores.eachOfSource(Keyspace.AGENDA, this::reportAgenda);
  }

  private void repairQueue(int queue) {
    Counted jobs = count(queue);
    byte[] key = CounterKeys.key(queue);
    byte[] value = stores.source().get(key);
    String flaw = value == null ? null : RowCheck.flaw(key, value);
    CountersRecord stored =
        value == null || flaw != null ? null : CountersRecord.decode(key, value);
    CountersRecord compared = stored == null ? CountersRecord.empty() : stored;
    boolean isRight =
        flaw == null && jobs.agrees(compared) && isAgendaThere(queue, compared, jobs.dueMs());
    if (isRight && value == null) {
      return;
    }
    CountersRecord right = isRight ? compared : corrected(queue, compared, jobs);
    if (!isRight) {
      stores.log().rebuilt(key, finding(value, flaw));
    }
    stores.target().put(key, right.encode(key));
    if (right.agendaAtMs() != CountersRecord.NONE) {
      stores.target().put(AgendaKeys.key(right.agendaAtMs(), queue), NOTHING);
    }
  }

  private Counted count(int queue) {
    Recount recount = new Recount();
    long[] nextDueMs = {CountersRecord.NONE};
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      stores
          .target()
          .each(
              keyspace.queueStart(queue),
              keyspace.queueEnd(queue),
              (key, value) -> {
                if (keyspace == Keyspace.READY && isLeased(queue, key, value)) {
                  recount.addLeased();
                  return;
                }
                recount.add(key);
                if (keyspace == Keyspace.DELAYED) {
                  nextDueMs[0] = Math.min(nextDueMs[0], visibleAtMs(key, value));
                }
              });
    }
    boolean isDueNow = recount.count(JobState.READY) > 0;
    return new Counted(recount, isDueNow ? stores.nowMs() : nextDueMs[0]);
  }

  private boolean isLeased(int queue, byte[] key, byte[] value) {
    return stores.target().has(LeaseKeys.key(queue, JobRecord.decode(key, value).birth()));
  }

  /** Returns when the job becomes visible, in engine time, by which the agenda goes. */
  private long visibleAtMs(byte[] key, byte[] value) {
    long endMs = DelayedKeys.visibleAtMs(key);
    return JobRecord.decode(key, value).delayBaseMs() == 0
        ? endMs
        : Math.max(0, endMs - steadyLeadMs);
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
   * Tells whether the agenda has the row that the counters name; if they name none, whether none is
   * needed. Where the counts are right, so is the time: a row that is later than it would be by
   * today's clocks was right by those of its day.
   */
  private boolean isAgendaThere(int queue, CountersRecord stored, long dueMs) {
    return stored.agendaAtMs() == CountersRecord.NONE
        ? dueMs == CountersRecord.NONE
        : stores.source().get(AgendaKeys.key(stored.agendaAtMs(), queue)) != null;
  }

  /**
   * Tells whether the agenda has the row, and not too late. A row that is too early is only looked
   * at in vain; one that is too late leaves jobs waiting.
   */
  private boolean isAgendaRight(int queue, CountersRecord stored, long dueMs) {
    return isAgendaThere(queue, stored, dueMs) && stored.agendaAtMs() <= dueMs;
  }

  private CountersRecord corrected(int queue, CountersRecord stored, Counted jobs) {
    Recount recount = jobs.recount();
    long agendaAtMs = jobs.dueMs();
    if (isAgendaRight(queue, stored, jobs.dueMs())) {
      agendaAtMs = stored.agendaAtMs();
    } else if (recount.isEmpty()
        && queues.settings(queue).origin() == QueueRecord.Origin.SELF_MADE) {
      // Looked at, it is removed when it has been empty for long.
      agendaAtMs = stores.nowMs();
    }
    long emptySinceMs = recount.isEmpty() ? stores.nowMs() : 0;
    // Free slots have been handed on by now.
    int perKeyDone = recount.count(JobState.BLOCKED) > 0 ? queues.perKey(queue) : 0;
    return recount.counters(stored.totals(), agendaAtMs, emptySinceMs).withPerKeyDone(perKeyDone);
  }

  private void reportOrphan(byte[] key, byte[] value) {
    QueuePresence presence = queues.presence(Keyspace.queue(key));
    if (presence != QueuePresence.DROPPED && !stores.target().has(key)) {
      String flaw = RowCheck.flaw(key, value);
      stores.log().dropped(key, flaw == null ? "row's queue is not there" : flaw);
    }
  }

  private void reportAgenda(byte[] key, byte[] value) {
    if (!stores.target().has(key)) {
      String flaw = RowCheck.flaw(key, value);
      stores.log().dropped(key, flaw == null ? "no queue's counters name the row" : flaw);
    } else if (value.length > 0) {
      stores.log().rebuilt(key, "value was not empty");
    }
  }
}
