package io.millrace.internal.commit;

import io.millrace.api.EngineHealth.Failure;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the engine is and since when, and the listeners that are told when that changes. The loop
 * changes it; any thread reads it.
 */
final class EngineCondition {

  private static final Logger LOG = LoggerFactory.getLogger(EngineCondition.class);

  private final EngineOptions options;
  private final Executor answerThread;
  private volatile Known known;

  /**
   * All that is known of it, in one piece, so that no reader sees half of a change.
   *
   * @param reason why it is not up; empty if it is
   */
  record Known(Status status, Instant since, String reason, Optional<Failure> lastError) {}

  EngineCondition(EngineOptions options, Executor answerThread) {
    this.options = options;
    this.answerThread = answerThread;
    this.known = new Known(Status.UP, now(), "", Optional.empty());
  }

  Known known() {
    return known;
  }

  void full(Throwable cause) {
    become(Status.FULL, "store is full: " + text(cause), failure(cause));
    tell(listener -> listener.full(cause));
  }

  void roomAgain() {
    become(Status.UP, "", known.lastError());
    tell(EngineListener::roomAgain);
  }

  /** The engine takes no changes any more. Does nothing if that is known already. */
  void outage(Throwable cause) {
    if (known.status() == Status.POISONED || known.status() == Status.NOT_OWNER) {
      return;
    }
    if (Outage.isFenced(cause)) {
      String reason = "another owner has the store: " + text(cause);
      become(Status.NOT_OWNER, reason, failure(cause));
      tell(listener -> listener.ownershipLost(cause));
    } else {
      become(Status.POISONED, "store failed: " + text(cause), failure(cause));
      tell(listener -> listener.poisoned(cause));
    }
  }

  void reopened() {
    become(Status.UP, "", known.lastError());
    tell(EngineListener::reopened);
  }

  /** Something failed that did not change how the engine is. */
  void failed(Throwable cause) {
    Known before = known;
    known = new Known(before.status(), before.since(), before.reason(), failure(cause));
  }

  /** What failed in closing it, the first first. */
  void closed(List<Throwable> failures) {
    if (failures.isEmpty()) {
      become(Status.CLOSED, "engine was closed", known.lastError());
    } else {
      Throwable cause = failures.get(0);
      become(Status.CLOSED, "engine was closed; closing failed: " + text(cause), failure(cause));
    }
  }

  private void become(Status status, String reason, Optional<Failure> lastError) {
    known = new Known(status, now(), reason, lastError);
  }

  private Optional<Failure> failure(Throwable cause) {
    return Optional.of(new Failure(now(), text(cause)));
  }

  private Instant now() {
    return Instant.ofEpochMilli(options.clock().epochMs());
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getName() : message;
  }

  private void tell(Consumer<EngineListener> event) {
    List<EngineListener> listeners = options.listeners();
    if (!listeners.isEmpty()) {
      answerThread.execute(() -> listeners.forEach(listener -> tellOne(listener, event)));
    }
  }

  private static void tellOne(EngineListener listener, Consumer<EngineListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable e) {
      LOG.error("a listener failed: listener={}", listener.getClass().getName(), e);
    }
  }
}
