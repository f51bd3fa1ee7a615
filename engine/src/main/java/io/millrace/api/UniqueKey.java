package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Duration;
import java.util.Objects;

/**
 * A text that at most one job of a queue holds at a time. While a job holds it, an enqueue with the
 * same key returns that job, or replaces it. Each queue, identified by its name and tenant, has its
 * own keys. Immutable.
 *
 * <p>A retry, a delay or a restart changes nothing: the key stays with its job. Only the job that
 * holds a key frees it.
 *
 * @param key the text, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
 * @param scope how long the job holds the key
 * @param window how long the job holds the key under the scope {@link Scope#FOR}, 1 ms to ten
 *     years; zero under other scopes
 * @param onConflict what happens to a new job whose key is held
 */
public record UniqueKey(String key, Scope scope, Duration window, OnConflict onConflict) {

  /** The spans of time for which a job may hold its key. */
  public enum Scope {
    /**
     * The key is held until a worker gets the job for the first time, even if the worker hands the
     * job back. A redrive of the dead job takes the key again, until its next start.
     */
    UNTIL_STARTED,
    /**
     * The key is held until the job is completed, dead, cancelled or removed. A redrive of the dead
     * job takes the key again.
     */
    UNTIL_FINISHED,
    /** The key is held for a time from the enqueue on, whatever becomes of the job. */
    FOR
  }

  /** The treatment of a new job whose key is held. */
  public enum OnConflict {
    /** The new job is not enqueued. The result is the job that holds the key, as a duplicate. */
    KEEP_EXISTING,
    /**
     * The job that holds the key is cancelled if it waits, and the new one takes the key, with an
     * id of its own, at the back of the line. If the holder is leased, or has ended and holds the
     * key {@link Scope#FOR} a time, the new job is a duplicate.
     */
    REPLACE
  }

  /**
   * Creates a key.
   *
   * @throws IllegalArgumentException the key or the window is out of its range, the key is not
   *     valid Unicode, or there is a window under another scope than {@link Scope#FOR}
   */
  public UniqueKey {
    Checks.text("unique key", key, 1, Limits.KEY_BYTES_MAX);
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(onConflict, "onConflict");
    if (scope == Scope.FOR) {
      Checks.inRange("window of the unique key", window, Limits.KEEP_LEAST, Limits.DELAY_MAX);
    } else if (!window.isZero()) {
      throw new IllegalArgumentException(
          "window of the unique key is for the scope FOR only: value="
              + window
              + ", scope="
              + scope
              + "; leave it zero, or use within");
    }
  }

  /**
   * Returns a key that is held until its job has ended. While it is held, a new job with the key is
   * a duplicate.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#KEY_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public static UniqueKey of(String key) {
    return new UniqueKey(key, Scope.UNTIL_FINISHED, Duration.ZERO, OnConflict.KEEP_EXISTING);
  }

  /** Returns this key, but held until its job is started. */
  public UniqueKey untilStarted() {
    return new UniqueKey(key, Scope.UNTIL_STARTED, Duration.ZERO, onConflict);
  }

  /**
   * Returns this key, but held for this time from the enqueue on, so that at most one job is
   * enqueued within it.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 ms to {@link
   *     Limits#DELAY_MAX}
   */
  public UniqueKey within(Duration time) {
    return new UniqueKey(key, Scope.FOR, time, onConflict);
  }

  /**
   * Returns this key, but with replacement: a new job replaces the job that holds the key, if that
   * one waits.
   */
  public UniqueKey replace() {
    return new UniqueKey(key, scope, window, OnConflict.REPLACE);
  }
}
