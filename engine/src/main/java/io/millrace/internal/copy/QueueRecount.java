package io.millrace.internal.copy;

import io.millrace.api.JobState;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.ReadyKeys;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** A queue's counts as its jobs in the new store are. */
final class QueueRecount {

  private final TargetRows target;
  private final int queue;
  private final long[] states = new long[JobState.values().length];

  /** Of each priority, the highest first: how many are ready, and the lowest sequence. */
  private final Map<Integer, long[]> lines = new TreeMap<>((a, b) -> Integer.compare(b, a));

  private final long steadyLeadMs;
  private long nextDelayedAtMs = CountersRecord.NONE;
  private long nextDueMs = CountersRecord.NONE;

  private QueueRecount(TargetRows target, int queue, long steadyLeadMs) {
    this.target = target;
    this.queue = queue;
    this.steadyLeadMs = steadyLeadMs;
  }

  /**
   * Counts.
   *
   * @param steadyLeadMs how far steady time is ahead of engine time
   */
  static QueueRecount of(TargetRows target, int queue, long steadyLeadMs) {
    QueueRecount recount = new QueueRecount(target, queue, steadyLeadMs);
    recount.each(Keyspace.READY, recount::addReady);
    recount.each(Keyspace.DELAYED, recount::addDelayed);
    recount.each(Keyspace.BLOCKED, (key, value) -> recount.add(JobState.BLOCKED));
    recount.each(Keyspace.WAITING, (key, value) -> recount.add(JobState.WAITING));
    recount.each(Keyspace.DEAD, (key, value) -> recount.add(JobState.DEAD));
    recount.each(Keyspace.DONE, (key, value) -> recount.add(JobState.DONE));
    return recount;
  }

  boolean isEmpty() {
    return Arrays.stream(states).allMatch(count -> count == 0);
  }

  /** When, in engine time, the queue has to be looked at; {@link CountersRecord#NONE} if never. */
  long dueMs(long nowMs) {
    long atOnce = states[JobState.READY.ordinal()];
    return atOnce > 0 ? nowMs : nextDueMs;
  }

  /** Whether the stored counters say the same; heads and times may be too early. */
  boolean agrees(CountersRecord stored) {
    if (!Arrays.equals(stored.states(), states)) {
      return false;
    }
    boolean hasDelayed = nextDelayedAtMs != CountersRecord.NONE;
    boolean isNextRight =
        hasDelayed
            ? stored.nextDelayedAtMs() <= nextDelayedAtMs
            : stored.nextDelayedAtMs() == CountersRecord.NONE;
    return isNextRight && hasLinesOf(stored);
  }

  private boolean hasLinesOf(CountersRecord stored) {
    Map<Integer, long[]> rest = new TreeMap<>(lines);
    for (CountersRecord.ReadyRow row : stored.ready()) {
      long[] line = row.readyCount() == 0 ? null : rest.remove(row.priority());
      boolean isRight =
          row.readyCount() == 0
              || (line != null && line[0] == row.readyCount() && row.headSequence() <= line[1]);
      if (!isRight) {
        return false;
      }
    }
    return rest.isEmpty();
  }

  CountersRecord counters(long[] totals, long agendaAtMs, long emptySinceMs) {
    CountersRecord.ReadyRow[] ready =
        lines.entrySet().stream()
            .map(
                line ->
                    new CountersRecord.ReadyRow(
                        line.getKey(), line.getValue()[0], line.getValue()[1]))
            .toArray(CountersRecord.ReadyRow[]::new);
    return new CountersRecord(states, totals, ready, agendaAtMs, nextDelayedAtMs, emptySinceMs);
  }

  private void addReady(byte[] key, byte[] value) {
    long birth = JobRecord.decode(key, value).birth();
    if (target.has(LeaseKeys.key(queue, birth))) {
      add(JobState.LEASED);
      return;
    }
    add(JobState.READY);
    long[] line =
        lines.computeIfAbsent(
            ReadyKeys.priority(key), priority -> new long[] {0, ReadyKeys.sequence(key)});
    line[0]++;
  }

  private void addDelayed(byte[] key, byte[] value) {
    add(JobState.DELAYED);
    long endMs = DelayedKeys.visibleAtMs(key);
    boolean isInSteadyTime = JobRecord.decode(key, value).delayBaseMs() != 0;
    nextDelayedAtMs = Math.min(nextDelayedAtMs, endMs);
    nextDueMs = Math.min(nextDueMs, isInSteadyTime ? Math.max(0, endMs - steadyLeadMs) : endMs);
  }

  private void add(JobState state) {
    states[state.ordinal()]++;
  }

  private void each(Keyspace keyspace, Row.Consumer consumer) {
    byte[] start = new byte[1 + Integer.BYTES];
    start[0] = keyspace.code();
    Bytes.putInt(start, 1, queue);
    target.each(start, Bytes.prefixEnd(start), consumer);
  }
}
