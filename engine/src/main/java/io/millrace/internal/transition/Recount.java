package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.QueueState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A queue's counts from its records, when the stored counts are lost. Reads every row of the queue;
 * the totals since its creation cannot be told any more and begin at zero.
 */
final class Recount {

  private final Change change;
  private final int queue;
  private final long[] states = new long[JobState.values().length];
  private final Set<ByteBuffer> leasedKeys = new HashSet<>();
  private final Map<Integer, long[]> lines = new TreeMap<>();

  private Recount(Change change, int queue) {
    this.change = change;
    this.queue = queue;
  }

  static CountersRecord count(Change change, int queue) {
    Recount recount = new Recount(change, queue);
    recount.countLeased();
    recount.countReady();
    recount.countRows(JobState.DELAYED, DelayedKeys.queueStart(queue), DelayedKeys.queueEnd(queue));
    recount.countRows(JobState.DEAD, DeadKeys.queueStart(queue), DeadKeys.queueEnd(queue));
    recount.countRows(JobState.DONE, DoneKeys.queueStart(queue), DoneKeys.queueEnd(queue));
    recount.dropAgenda();
    List<CountersRecord.ReadyRow> ready = new ArrayList<>();
    recount.lines.forEach(
        (priority, line) -> ready.add(new CountersRecord.ReadyRow(priority, line[0], line[1])));
    return new CountersRecord(
        recount.states,
        new long[Total.values().length],
        ready.toArray(CountersRecord.ReadyRow[]::new),
        QueueState.NEVER,
        recount.nextDelayedAtMs(),
        0);
  }

  /** Remembers where the leased records are: a corrupt one does not tell whose it is. */
  private void countLeased() {
    change.scan(
        LeaseKeys.queueStart(queue),
        LeaseKeys.queueEnd(queue),
        (key, value) -> {
          states[JobState.LEASED.ordinal()]++;
          try {
            leasedKeys.add(ByteBuffer.wrap(LeaseRecord.decode(key, value).readyKey(queue)));
          } catch (CorruptDataException e) {
            // It is known by its key, which a record that can be read is found by.
          }
          return true;
        });
  }

  private void countReady() {
    change.scan(
        ReadyKeys.queueStart(queue),
        ReadyKeys.queueEnd(queue),
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(change, key, value);
          boolean isLeased =
              job == null
                  ? leasedKeys.contains(ByteBuffer.wrap(key))
                  : change.get(LeaseKeys.key(queue, job.birth())) != null;
          if (!isLeased) {
            states[JobState.READY.ordinal()]++;
            long[] line =
                lines.computeIfAbsent(
                    ReadyKeys.priority(key), p -> new long[] {0, ReadyKeys.sequence(key)});
            line[0]++;
          }
          return true;
        });
  }

  private void countRows(JobState state, byte[] start, byte[] end) {
    change.scan(
        start,
        end,
        (key, value) -> {
          states[state.ordinal()]++;
          return true;
        });
  }

  private long nextDelayedAtMs() {
    long[] next = {QueueState.NEVER};
    change.scan(
        DelayedKeys.queueStart(queue),
        DelayedKeys.queueEnd(queue),
        (key, value) -> {
          next[0] = DelayedKeys.visibleAtMs(key);
          return false;
        });
    return next[0];
  }

  /**
   * Which row is the queue's is no longer known: all of its go, and the next commit writes the
   * right one.
   */
  private void dropAgenda() {
    List<byte[]> rows = new ArrayList<>();
    change.scan(
        Keyspace.AGENDA.start(),
        Keyspace.AGENDA.end(),
        (key, value) -> {
          if (AgendaKeys.queue(key) == queue) {
            rows.add(key);
          }
          return true;
        });
    rows.forEach(change::delete);
  }
}
