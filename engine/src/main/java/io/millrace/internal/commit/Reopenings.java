package io.millrace.internal.commit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The attempts of a poisoned engine to open its store again by itself, each after its configured
 * wait. An engine that has lost its store to another owner makes none. Belongs to the loop's
 * thread, except for {@link #warning}.
 */
final class Reopenings {

  /** The shortest wait before an attempt after a passing failure: such attempts have no end. */
  private static final long PASSING_LEAST_NS = 100_000_000L;

  private final List<Duration> waits;
  private final long calmNs;
  private volatile boolean isPoisoned;
  private long dueNs;
  private long reopenedNs;
  private volatile int tries;

  /** True if the last failure passes by itself and says nothing of the store. */
  private boolean isPassing;

  Reopenings(List<Duration> waits) {
    this.waits = waits;
    this.calmNs = waits.stream().reduce(Duration.ZERO, Duration::plus).toNanos();
  }

  /** Notes that the engine is poisoned and plans an attempt, unless that is known already. */
  void poisoned(long nowNs, Throwable cause) {
    if (isPoisoned) {
      return;
    }
    if (nowNs - reopenedNs > calmNs) {
      tries = 0;
    }
    isPassing = isPassing(cause);
    if (isPassing && !waits.isEmpty()) {
      tries = Math.min(tries, waits.size() - 1);
    }
    isPoisoned = true;
    plan(nowNs);
  }

  /**
   * Tells whether the failure passes by itself: want of memory, or of stack, is of the whole
   * process and of a moment. The last attempt is not used up by such a failure.
   */
  private static boolean isPassing(Throwable cause) {
    return cause instanceof OutOfMemoryError || cause instanceof StackOverflowError;
  }

  /** Counts an attempt that begins now. */
  void tried() {
    if (!isPassing || tries < waits.size() - 1) {
      tries++;
    }
  }

  /** Notes that the attempt failed, and plans the next one. */
  void failed(long nowNs, Throwable cause) {
    isPassing = isPassing(cause);
    plan(nowNs);
  }

  /** Notes that the engine works. If it did not before, its calm time begins. */
  void reopened(long nowNs) {
    if (isPoisoned) {
      isPoisoned = false;
      reopenedNs = nowNs;
    }
  }

  private void plan(long nowNs) {
    long leastNs = isPassing ? PASSING_LEAST_NS : 0;
    dueNs = tries < waits.size() ? nowNs + Math.max(leastNs, waits.get(tries).toNanos()) : nowNs;
  }

  boolean isDue(long nowNs) {
    return isLeft() && nowNs - dueNs >= 0;
  }

  /** Returns the nanoseconds until the next attempt; {@link Long#MAX_VALUE} if there is none. */
  long waitNs(long nowNs) {
    return isLeft() ? Math.max(0, dueNs - nowNs) : Long.MAX_VALUE;
  }

  private boolean isLeft() {
    return isPoisoned && tries < waits.size();
  }

  /** Returns a warning for the operator of a poisoned engine. For any thread. */
  Optional<String> warning() {
    if (!isPoisoned || waits.isEmpty()) {
      return Optional.empty();
    }
    int made = tries;
    return Optional.of(
        made < waits.size()
            ? "the store will be opened again by itself: attempts made="
                + made
                + ", most="
                + waits.size()
            : "the store could not be opened again by itself: attempts made="
                + made
                + "; mend what it failed of and call reopen");
  }
}
