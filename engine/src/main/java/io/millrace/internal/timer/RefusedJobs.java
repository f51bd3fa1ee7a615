package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.TimerHead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were offered and refused, by their TIMER rows: each waits for its next turn, twice as
 * long each time. Memory of the living process only.
 *
 * <p>{@value #COUNT_MAX} are known one by one. Of the others only the first row is known; all of
 * them are offered again when the longest wait is over.
 *
 * <p>Belongs to the loop's thread.
 */
final class RefusedJobs {

  static final int COUNT_MAX = 10_000;

  private static final long FIRST_WAIT_NS = 1_000_000_000L;
  private static final long WAIT_MAX_NS = 3_600 * FIRST_WAIT_NS;

  private final NavigableMap<byte[], Refusal> byRow = new TreeMap<>(Arrays::compareUnsigned);
  private final NavigableSet<Refusal> byTurn = new TreeSet<>(Refusal.BY_TURN);

  /** The first of the jobs for which there was no room. */
  private byte @Nullable [] beyond;

  private long beyondAtNs;

  /**
   * A refused job that waits until a time on the monotonic clock.
   *
   * @param row the key of the job's TIMER row
   * @param atNs when the wait ends
   * @param waitNs the length of the wait
   */
  private record Refusal(byte[] row, long atNs, long waitNs) {

    static final Comparator<Refusal> BY_TURN =
        ((Comparator<Refusal>) (a, b) -> Long.signum(a.atNs - b.atNs))
            .thenComparing(Refusal::row, Arrays::compareUnsigned);
  }

  int count() {
    return byRow.size();
  }

  /** Tells whether there are more jobs than are known one by one. */
  boolean hasMore() {
    return beyond != null;
  }

  /** Tells whether the job is known one by one. */
  boolean holds(byte[] row) {
    return byRow.containsKey(row);
  }

  /** Adds a job that was refused, once more or for the first time. */
  void add(byte[] row, long nowNs) {
    Refusal before = byRow.get(row);
    if (before == null && byRow.size() == COUNT_MAX) {
      addBeyond(row, nowNs);
      return;
    }
    long waitNs = before == null ? FIRST_WAIT_NS : Math.min(2 * before.waitNs, WAIT_MAX_NS);
    remove(row);
    Refusal next = new Refusal(row, nowNs + waitNs, waitNs);
    byRow.put(row, next);
    byTurn.add(next);
  }

  private void addBeyond(byte[] row, long nowNs) {
    if (beyond == null) {
      beyondAtNs = nowNs + WAIT_MAX_NS;
      beyond = row;
    } else if (Arrays.compareUnsigned(row, beyond) < 0) {
      beyond = row;
    }
  }

  /** Removes a job that is gone, or need not wait. */
  void remove(byte[] row) {
    Refusal known = byRow.remove(row);
    if (known != null) {
      byTurn.remove(known);
    }
  }

  /** Returns the first of the jobs whose turn it is. */
  List<byte[]> due(long nowNs, int countMax) {
    List<byte[]> due = new ArrayList<>();
    for (Refusal refusal : byTurn) {
      if (refusal.atNs - nowNs > 0 || due.size() == countMax) {
        return due;
      }
      due.add(refusal.row);
    }
    return due;
  }

  /** Moves the head back to the jobs that are not known one by one, if they have waited enough. */
  void meetBeyond(TimerHead head, long nowNs) {
    byte[] first = beyond;
    if (first != null && beyondAtNs - nowNs <= 0) {
      head.note(first);
      beyond = null;
    }
  }

  /**
   * Returns the time until the next turn of a job, in nanoseconds; {@link DueWork#NEVER} if none
   * waits.
   */
  long waitNs(long nowNs) {
    long waitNs = byTurn.isEmpty() ? DueWork.NEVER : Math.max(0, byTurn.first().atNs - nowNs);
    return beyond == null ? waitNs : Math.min(waitNs, Math.max(0, beyondAtNs - nowNs));
  }
}
