package io.millrace.internal.read;

import io.millrace.api.JobState;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import java.util.Arrays;

/** A queue's counters as its rows are, to be held against those that are stored. */
final class Recount {

  private static final int PRIORITY_COUNT = 256;

  private final long[] states = new long[JobState.values().length];
  private final long[] readyCounts = new long[PRIORITY_COUNT];
  private final long[] heads = new long[PRIORITY_COUNT];
  private long nextDelayedAtMs = CountersRecord.NONE;

  Recount() {
    Arrays.fill(heads, Long.MAX_VALUE);
  }

  void add(JobState state) {
    states[state.ordinal()]++;
  }

  void addReady(int priority, long sequence) {
    add(JobState.READY);
    readyCounts[index(priority)]++;
    heads[index(priority)] = Math.min(heads[index(priority)], sequence);
  }

  void addDelayed(long visibleAtMs) {
    add(JobState.DELAYED);
    nextDelayedAtMs = Math.min(nextDelayedAtMs, visibleAtMs);
  }

  /** Reports what the stored counters have wrong. */
  void compare(int queue, CountersRecord stored, Rows rows, Findings findings) {
    byte[] key = CounterKeys.key(queue);
    for (JobState state : JobState.values()) {
      differ(
          findings, key, state.name(), stored.states()[state.ordinal()], states[state.ordinal()]);
    }
    compareReady(key, stored, findings);
    boolean hasDelayed = nextDelayedAtMs != CountersRecord.NONE;
    boolean isRight =
        hasDelayed
            ? stored.nextDelayedAtMs() <= nextDelayedAtMs
            : stored.nextDelayedAtMs() == CountersRecord.NONE;
    if (!isRight) {
      differ(findings, key, "nextDelayedAt", stored.nextDelayedAtMs(), nextDelayedAtMs);
    }
    compareAgenda(key, queue, stored, rows, findings);
  }

  /** A queue that has something to serve, now or later, must be looked at in time. */
  private void compareAgenda(
      byte[] key, int queue, CountersRecord stored, Rows rows, Findings findings) {
    boolean hasAgenda = stored.agendaAtMs() != CountersRecord.NONE;
    boolean hasReady = states[JobState.READY.ordinal()] > 0;
    if (!hasAgenda && (hasReady || nextDelayedAtMs != CountersRecord.NONE)) {
      findings.problem(key, "the queue has ready or delayed jobs and no AGENDA row");
    }
    if (hasAgenda && !rows.has(AgendaKeys.key(stored.agendaAtMs(), queue))) {
      findings.problem(
          key, "no AGENDA row is where the counters say: agendaAt=" + stored.agendaAtMs());
    }
  }

  private void compareReady(byte[] key, CountersRecord stored, Findings findings) {
    long[] storedCounts = new long[PRIORITY_COUNT];
    for (CountersRecord.ReadyRow row : stored.ready()) {
      storedCounts[index(row.priority())] += row.readyCount();
      if (row.readyCount() > 0 && row.headSequence() > heads[index(row.priority())]) {
        findings.problem(
            key,
            "a ready job is before the head of its priority: priority="
                + row.priority()
                + ", head="
                + row.headSequence()
                + ", lowest="
                + heads[index(row.priority())]);
      }
    }
    for (int i = 0; i < PRIORITY_COUNT; i++) {
      differ(findings, key, "ready of priority " + priority(i), storedCounts[i], readyCounts[i]);
    }
  }

  private static void differ(
      Findings findings, byte[] key, String what, long stored, long counted) {
    if (stored != counted) {
      findings.problem(
          key,
          "counters differ from a recount: what="
              + what
              + ", stored="
              + stored
              + ", counted="
              + counted);
    }
  }

  private static int index(int priority) {
    return priority - Byte.MIN_VALUE;
  }

  private static int priority(int index) {
    return index + Byte.MIN_VALUE;
  }
}
