package io.millrace.internal.format;

import io.millrace.api.JobState;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A queue's counts, summed up from the keys of its jobs. Code that goes over all jobs of a queue
 * adds them here. Verification and repair compare the sums with the stored counters; repair, and an
 * engine that lost them, write new ones. For one thread.
 */
public final class Recount {

  private final long[] states = CounterCodes.noStates();

  /** The number of ready jobs and their lowest sequence, by priority, the highest first. */
  private final Map<Integer, long[]> lines = new TreeMap<>(Comparator.reverseOrder());

  private long nextDelayedAtMs = CountersRecord.NONE;

  /** Adds a job that is not leased and whose record is at the key. */
  public void add(byte[] key) {
    Keyspace keyspace = Keyspace.ofKey(key);
    JobState state = keyspace.state();
    if (state == null || !keyspace.isOfJobs()) {
      throw new IllegalArgumentException("not a key of a job's record: key=" + Bytes.hex(key));
    }
    states[state.ordinal()]++;
    if (state == JobState.READY) {
      long sequence = ReadyKeys.sequence(key);
      long[] line =
          lines.computeIfAbsent(ReadyKeys.priority(key), priority -> new long[] {0, sequence});
      line[0]++;
      line[1] = Math.min(line[1], sequence);
    } else if (state == JobState.DELAYED) {
      nextDelayedAtMs = Math.min(nextDelayedAtMs, DelayedKeys.visibleAtMs(key));
    }
  }

  /** Adds a job that is leased. */
  public void addLeased() {
    states[JobState.LEASED.ordinal()]++;
  }

  /** Returns how many jobs of the state were added. */
  public long count(JobState state) {
    return states[state.ordinal()];
  }

  /** Tells whether no job was added. */
  public boolean isEmpty() {
    return Arrays.stream(states).allMatch(count -> count == 0);
  }

  /** Returns the counters: the sums, with the given values, which no job tells. */
  public CountersRecord counters(long[] totals, long agendaAtMs, long emptySinceMs) {
    CountersRecord.ReadyRow[] ready =
        lines.entrySet().stream()
            .map(
                line ->
                    new CountersRecord.ReadyRow(
                        line.getKey(), line.getValue()[0], line.getValue()[1]))
            .toArray(CountersRecord.ReadyRow[]::new);
    return new CountersRecord(states, totals, ready, agendaAtMs, nextDelayedAtMs, emptySinceMs, 0);
  }

  /** Reports the differences of the stored counters. Stored heads and times may be too early. */
  public void compare(CountersRecord stored, Consumer<String> differences) {
    for (JobState state : JobState.values()) {
      differ(differences, state.name(), stored.states()[state.ordinal()], count(state));
    }
    compareReady(stored, differences);
    boolean hasDelayed = nextDelayedAtMs != CountersRecord.NONE;
    boolean isNextRight =
        hasDelayed
            ? stored.nextDelayedAtMs() <= nextDelayedAtMs
            : stored.nextDelayedAtMs() == CountersRecord.NONE;
    if (!isNextRight) {
      differ(differences, "nextDelayedAt", stored.nextDelayedAtMs(), nextDelayedAtMs);
    }
  }

  private void compareReady(CountersRecord stored, Consumer<String> differences) {
    Map<Integer, Long> storedCounts = new TreeMap<>();
    lines.keySet().forEach(priority -> storedCounts.put(priority, 0L));
    for (CountersRecord.ReadyRow row : stored.ready()) {
      storedCounts.merge(row.priority(), row.readyCount(), Long::sum);
      long[] line = lines.get(row.priority());
      if (row.readyCount() > 0 && line != null && row.headSequence() > line[1]) {
        differences.accept(
            "a ready job is before the head of its priority: priority="
                + row.priority()
                + ", head="
                + row.headSequence()
                + ", lowest="
                + line[1]);
      }
    }
    storedCounts.forEach(
        (priority, count) -> {
          long[] line = lines.get(priority);
          differ(differences, "ready of priority " + priority, count, line == null ? 0 : line[0]);
        });
  }

  private static void differ(Consumer<String> differences, String what, long stored, long counted) {
    if (stored != counted) {
      differences.accept(
          "counters differ from a recount: what="
              + what
              + ", stored="
              + stored
              + ", counted="
              + counted);
    }
  }
}
