package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker's guard does is done again and again, whatever comes of it. */
@Timeout(60)
class WorkerGuardTest {

  private static List<Thread> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("guarded-"))
        .toList();
  }

  @Test
  void begin_workThrowsAnError_isCalledAgainUntilTheEnd() throws InterruptedException {
    CountDownLatch calls = new CountDownLatch(3);
    try (WorkerThreads threads = new WorkerThreads("guarded", Optional.empty())) {
      threads.begin(
          Duration.ofMillis(1),
          () -> {
            calls.countDown();
            throw new OutOfMemoryError("planted");
          });

      assertThat(calls.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(alive()).extracting(Thread::getName).contains("guarded-guard", "guarded-timer");
    }
    for (Thread each : alive()) {
      each.join();
    }
  }
}
