package io.millrace.internal.commit;

import io.millrace.api.EngineHealth.Failure;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine's status and the time since when it holds, with the listeners that are told of
 * changes. Changed by the loop, read by any thread.
 */
final class EngineCondition {

  private final EngineOptions options;
  private final AnswerThread answerThread;
  private volatile Known known;
  private volatile long newestMs;

  /**
   * All that is known of the condition, in one object, so that no reader sees half of a change.
   *
   * @param reason the reason why the engine is not up; empty if it is
   */
  record Known(Status status, Instant since, String reason, Optional<Failure> lastError) {}

  EngineCondition(EngineOptions options, AnswerThread answerThread) {
    this.options = options;
    this.answerThread = answerThread;
    this.known = new Known(Status.UP, now(), "", Optional.empty());
  }

  Known known() {
    return known;
  }

  void full(Throwable cause) {
    become(
        Status.FULL,
        "store is full: " + text(cause),
        failure(cause),
        listener -> listener.full(cause));
  }

  void roomAgain() {
    become(Status.UP, "", known.lastError(), EngineListener::roomAgain);
  }

  /** Notes that the engine takes no changes any more. Does nothing if that is known already. */
  void outage(Throwable cause) {
    if (known.status() == Status.POISONED || known.status() == Status.NOT_OWNER) {
      return;
    }
    if (Outage.isFenced(cause)) {
      String reason = "another owner has the store: " + text(cause);
      become(Status.NOT_OWNER, reason, failure(cause), listener -> listener.ownershipLost(cause));
    } else {
      String what = cause instanceof Error ? "engine met an error: " : "store failed: ";
      become(
          Status.POISONED,
          what + text(cause),
          failure(cause),
          listener -> listener.poisoned(cause));
    }
  }

  /** Notes that the engine takes changes again. Does nothing if that is known already. */
  void reopened() {
    if (known.status() != Status.POISONED && known.status() != Status.NOT_OWNER) {
      return;
    }
    become(Status.UP, "", known.lastError(), EngineListener::reopened);
  }

  /** Notes a failure that did not change the engine's status. */
  void failed(Throwable cause) {
    Known before = known;
    known = new Known(before.status(), before.since(), before.reason(), failure(cause));
  }

  /**
   * Notes that the engine was closed.
   *
   * @param cause the first failure while it was closed, or null
   */
  void closed(@Nullable Throwable cause) {
    known =
        cause == null
            ? new Known(Status.CLOSED, now(), "engine was closed", known.lastError())
            : new Known(
                Status.CLOSED,
                now(),
                "engine was closed; closing failed: " + text(cause),
                failure(cause));
  }

  /**
   * Changes the status and tells the listeners. All that may fail comes before the change, so that
   * a change is told exactly once.
   */
  private void become(
      Status status, String reason, Optional<Failure> lastError, Consumer<EngineListener> event) {
    Known next = new Known(status, now(), reason, lastError);
    List<EngineListener> listeners = options.listeners();
    if (listeners.isEmpty()) {
      known = next;
      return;
    }
    Runnable telling =
        answerThread.prepare(
            () -> listeners.forEach(listener -> tellOne(listener, event)), thrown -> {});
    known = next;
    telling.run();
  }

  private Optional<Failure> failure(Throwable cause) {
    return Optional.of(new Failure(now(), text(cause)));
  }

  /**
   * Returns the wall clock's time. If the clock fails, returns its last time, so that the failure
   * can still be told.
   */
  private Instant now() {
    try {
      newestMs = options.clock().epochMs();
    } catch (Throwable e) {
      Answer.log("the clock failed", e);
    }
    return Instant.ofEpochMilli(newestMs);
  }

  /**
   * Returns a text for a failure: the message, of an error with its class before, or else the
   * class.
   */
  private static String text(Throwable cause) {
    String type = cause.getClass().getName();
    try {
      String message = cause.getMessage();
      if (message == null) {
        return type;
      }
      return cause instanceof Error ? type + ": " + message : message;
    } catch (RuntimeException | StackOverflowError e) {
      return type;
    }
  }

  private static void tellOne(EngineListener listener, Consumer<EngineListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable e) {
      Answer.log("a listener failed: listener=" + listener.getClass().getName(), e);
    }
  }
}
