package io.millrace.api;

import java.time.Duration;
import java.util.Objects;

/**
 * A text that at most one job of a queue has at a time. While a job holds it, an enqueue with the
 * same key is answered with that job, or replaces it. Each queue, that is name and tenant, has its
 * own keys. Immutable.
 *
 * <p>A retry, a delay or a restart changes nothing: the key stays with its job. Nobody but the job
 * that holds a key frees it.
 *
 * @param key the text, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
 * @param scope how long the job holds it
 * @param window how long under the scope {@link Scope#FOR}, 1 ms to ten years; zero under others
 * @param onConflict what happens with a new job whose key is held
 */
public record UniqueKey(String key, Scope scope, Duration window, OnConflict onConflict) {

  /** How long a job holds its key. */
  public enum Scope {
    /**
     * Until a worker gets the job for the first time, also if he hands it back. A redrive of the
     * dead job takes the key again, until its next start.
     */
    UNTIL_STARTED,
    /**
     * Until the job is completed, dead, cancelled or removed. A redrive of the dead job takes the
     * key again.
     */
    UNTIL_FINISHED,
    /** For a time from the enqueue on, whatever becomes of the job. */
    FOR
  }

  /** What happens with a new job whose key is held. */
  public enum OnConflict {
    /** It is not enqueued; the answer is the job that holds the key, as a duplicate. */
    KEEP_EXISTING,
    /**
     * The job that holds the key is cancelled if it waits, and the new one takes the key, with an
     * id of its own, at the back of the line. If that job is leased, or has ended and the key is
     * held {@link Scope#FOR} a time, the new one is a duplicate.
     */
    REPLACE
  }

  public UniqueKey {
    Limits.text("unique key", key, 1, Limits.KEY_BYTES_MAX);
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(onConflict, "onConflict");
    if (scope == Scope.FOR) {
      Limits.keep("window of the unique key", window);
    } else if (!window.isZero()) {
      throw new IllegalArgumentException(
          "window of the unique key is for the scope FOR only: value="
              + window
              + ", scope="
              + scope
              + "; leave it zero, or use within");
    }
  }

  /** Held until its job has ended; a job that is there stays. */
  public static UniqueKey of(String key) {
    return new UniqueKey(key, Scope.UNTIL_FINISHED, Duration.ZERO, OnConflict.KEEP_EXISTING);
  }

  /** The same, held until its job is started. */
  public UniqueKey untilStarted() {
    return new UniqueKey(key, Scope.UNTIL_STARTED, Duration.ZERO, onConflict);
  }

  /** The same, held for this time from the enqueue on: at most one job in it. */
  public UniqueKey within(Duration time) {
    return new UniqueKey(key, Scope.FOR, time, onConflict);
  }

  /** The same; a job that holds it and waits is replaced. */
  public UniqueKey replace() {
    return new UniqueKey(key, scope, window, OnConflict.REPLACE);
  }
}
