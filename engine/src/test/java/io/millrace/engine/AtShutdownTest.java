package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.calls.AtShutdown;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the shutdown of a JVM does with an engine, and for how long it waits for it. */
@Timeout(30)
class AtShutdownTest {

  @Test
  void run_engineIsClosedInTime_returnsWhenItIs() {
    AtomicBoolean isClosed = new AtomicBoolean();

    AtShutdown.run(() -> isClosed.set(true), Duration.ofSeconds(20));

    assertThat(isClosed).isTrue();
  }

  @Test
  void run_closingFails_harmsNobody() {
    AtShutdown.run(
        () -> {
          throw new IllegalStateException("store is away");
        },
        Duration.ofSeconds(20));

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void run_storeHangs_isNotWaitedForAnyLonger() {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicBoolean isClosed = new AtomicBoolean();

    AtShutdown.run(
        () -> {
          awaitQuietly(hanging);
          isClosed.set(true);
        },
        Duration.ofMillis(20));

    assertThat(isClosed).isFalse();
    hanging.countDown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
