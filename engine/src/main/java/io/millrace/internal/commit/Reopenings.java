package io.millrace.internal.commit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When a poisoned engine opens its store again by itself: after waits that are given, one after the
 * other. One that has lost its store to another owner leaves it to that. For the loop's thread, but
 * for {@link #warning}.
 */
final class Reopenings {

  /** What passes is given some time for it, for it is tried without an end. */
  private static final long PASSING_LEAST_NS = 100_000_000L;

  private final List<Duration> waits;
  private final long calmNs;
  private volatile boolean isPoisoned;
  private long dueNs;
  private long reopenedNs;
  private volatile int tries;

  /** What failed last goes over by itself, and says nothing of the store. */
  private boolean isPassing;

  Reopenings(List<Duration> waits) {
    this.waits = waits;
    this.calmNs = waits.stream().reduce(Duration.ZERO, Duration::plus).toNanos();
  }

  /** The engine is poisoned, if it was not before. */
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
   * Whether it passes: want of memory, or of stack, is of the whole process and of a moment. The
   * last attempt is not used up by it.
   */
  private static boolean isPassing(Throwable cause) {
    return cause instanceof OutOfMemoryError || cause instanceof StackOverflowError;
  }

  /** An attempt begins. */
  void tried() {
    if (!isPassing || tries < waits.size() - 1) {
      tries++;
    }
  }

  /** The attempt failed; the next one comes after its wait. */
  void failed(long nowNs, Throwable cause) {
    isPassing = isPassing(cause);
    plan(nowNs);
  }

  /** The engine works; if it did not before, its calm time begins. */
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

  /** How long to wait for the next attempt, if there is one. */
  long waitNs(long nowNs) {
    return isLeft() ? Math.max(0, dueNs - nowNs) : Long.MAX_VALUE;
  }

  private boolean isLeft() {
    return isPoisoned && tries < waits.size();
  }

  /** What an operator of a poisoned engine should know. For any thread. */
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
