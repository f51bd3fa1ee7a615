package io.millrace.store.postgresql;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The database's clock, carried on by the monotonic one between answers.
 *
 * <p>The time in an answer was that of a moment between the question and the answer, so that each
 * answer bounds how far the database's clock is ahead of the monotonic one. Quick answers bound it
 * narrowly and slow ones widely; the bounds of all are laid over each other, and become wider by as
 * much as two clocks may drift apart. What is shown moves only if it is outside them. So it does
 * not tremble with the network. If an answer contradicts what is known, somebody has set the clock,
 * or another server answers, and the answer alone counts.
 *
 * <p>Answers come on the writer's thread; any thread may look.
 */
final class DatabaseClock {

  /** The most by which two clocks drift apart, as a fraction of the time: 500 ppm, as of NTP. */
  private static final long DRIFT_FRACTION = 2_000;

  private static final long NS_IN_US = 1_000;
  private static final long NS_IN_MS = 1_000_000;

  private final LongSupplier nowNs;
  private boolean isKnown;
  private long leastNs;
  private long mostNs;
  private long lookedAtNs;
  private volatile Shown shown = new Shown(false, 0);

  /** Creates a clock that knows nothing yet. */
  DatabaseClock(LongSupplier nowNs) {
    this.nowNs = nowNs;
  }

  /** Lead of the database's clock over the monotonic one, if it is known. */
  private record Shown(boolean isKnown, long aheadNs) {}

  long monotonicNs() {
    return nowNs.getAsLong();
  }

  /** Takes note of an answer: when its question was sent, when it came, and the time in it. */
  void look(long sentNs, long receivedNs, long databaseUs) {
    long databaseNs = databaseUs * NS_IN_US;
    long least = databaseNs - receivedNs;
    long most = databaseNs + NS_IN_US - sentNs;
    if (isKnown) {
      long driftNs = (receivedNs - lookedAtNs) / DRIFT_FRACTION;
      leastNs = Math.max(least, leastNs - driftNs);
      mostNs = Math.min(most, mostNs + driftNs);
    }
    if (!isKnown || leastNs > mostNs) {
      leastNs = least;
      mostNs = most;
    }
    isKnown = true;
    lookedAtNs = receivedNs;
    Shown before = shown;
    long aheadNs = before.isKnown ? before.aheadNs : leastNs + (mostNs - leastNs) / 2;
    long moved = Math.max(leastNs, Math.min(mostNs, aheadNs));
    if (!before.isKnown || moved != before.aheadNs) {
      shown = new Shown(true, moved);
    }
  }

  /** Returns the database's time now; empty if no answer has come yet. */
  OptionalLong nowMs() {
    Shown now = shown;
    return now.isKnown
        ? OptionalLong.of(Math.floorDiv(nowNs.getAsLong() + now.aheadNs, NS_IN_MS))
        : OptionalLong.empty();
  }
}
