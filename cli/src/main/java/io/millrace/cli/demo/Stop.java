package io.millrace.cli.demo;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells all threads of the demo to stop, because someone asked or because one of them cannot go on.
 * Any thread.
 */
final class Stop {

  private final CountDownLatch requested = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  void request() {
    requested.countDown();
  }

  /** Stops because of a failure; the first one is remembered. */
  void because(Throwable cause) {
    failure.compareAndSet(null, cause);
    requested.countDown();
  }

  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits for a stop, at most so long; an interrupt is one. */
  boolean await(Duration atMost) {
    try {
      return requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      request();
      return true;
    }
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }
}
