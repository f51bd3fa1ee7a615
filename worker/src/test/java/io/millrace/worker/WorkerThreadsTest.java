package io.millrace.worker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobId;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What interrupts the threads of handlers, and what it leaves alone. */
@Tag("slow")
@Timeout(90)
class WorkerThreadsTest extends WorkerRig {

  @Test
  void timeout_handlerIgnoresIt_failsWhenItEndsAndIsKeptUntilThen() throws Exception {
    CountDownLatch go = latch();
    CountDownLatch seen = new CountDownLatch(1);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  while (!job.isToStop()) {
                    Thread.onSpinWait();
                  }
                  seen.countDown();
                  awaitDeaf(go);
                },
                h -> h.timeout(ofMillis(30)))
            .leaseDuration(ofMillis(900))
            .listener(told)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    seen.await();

    assertThat(told.ends.poll(2_000, MILLISECONDS)).as("it is kept").isNull();
    assertThat(worker.busy()).isEqualTo(1);
    go.countDown();

    assertThat(told.next()).isEqualTo("mail RETRIED");
    assertThat(job(id).lastError().orElseThrow()).startsWith("timed out after PT0.03S");
    assertThat(job(id).attempts()).isEqualTo(1);
  }

  @Test
  void timeout_handlerSwallowsTheInterruptAndReturns_hasFailed() throws Exception {
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              try {
                latch().await();
              } catch (InterruptedException e) {
                said.add("swallowed");
              }
            },
            h -> h.timeout(ofMillis(30)))
        .listener(told)
        .start();

    JobId id = queues.enqueue(MAIL, "m").jobId();

    assertThat(told.next()).isEqualTo("mail RETRIED");
    assertThat(job(id).lastError().orElseThrow()).startsWith("timed out after PT0.03S");
  }

  @Test
  void timeout_isAfterCompleteWith_jobStaysCompleted() throws Exception {
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              job.completeWith(tx -> 1);
              try {
                latch().await(10, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                said.add("interrupted");
              }
            },
            h -> h.timeout(ofSeconds(2)))
        .listener(told)
        .start();

    queues.enqueue(MAIL, "m");

    assertThat(heard()).isEqualTo("interrupted");
    assertThat(told.next()).isEqualTo("mail COMPLETED");
  }

  @Test
  void timeout_tooLongOrNone_isRefusedByItsName() {
    for (Duration bad : new Duration[] {Duration.ZERO, ofMillis(-1), ofSeconds(Long.MAX_VALUE)}) {
      assertThatThrownBy(() -> HandlerOptions.DEFAULT.timeout(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeout");
    }
  }

  /** Many jobs that end at about the moment when their time is over, on one thread. */
  @Test
  void interrupt_comesWhenTheHandlerEnds_neverReachesTheNextJob() throws Exception {
    int count = 400;
    AtomicInteger strays = new AtomicInteger();
    AtomicInteger late = new AtomicInteger();
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              if (Thread.currentThread().isInterrupted() && !job.isToStop()) {
                strays.incrementAndGet();
              }
              long endNs =
                  System.nanoTime() + 500_000 + Integer.parseInt(text) * 10_000L % 1_500_000;
              while (System.nanoTime() - endNs < 0) {
                Thread.onSpinWait();
              }
            },
            h -> h.timeout(ofMillis(1)))
        .handle(
            REPORT,
            (text, job) -> {
              try {
                late.incrementAndGet();
                latchOfItsOwn();
              } catch (InterruptedException e) {
                strays.incrementAndGet();
              }
            })
        .concurrency(1)
        .listener(told)
        .start();

    for (int i = 0; i < count; i++) {
      queues.enqueue(MAIL, Integer.toString(i), o -> o.maxAttempts(1));
      queues.enqueue(REPORT, "r");
    }
    await("all ended", () -> told.ended.size() == 2 * count);

    assertThat(strays.get()).as("interrupts that reached another job").isZero();
    assertThat(told.ended.values())
        .extracting(JobRunEnd::outcome)
        .contains(Outcome.DIED, Outcome.COMPLETED);
    assertThat(late.get()).isEqualTo(count);
  }

  private static void latchOfItsOwn() throws InterruptedException {
    assertThat(new CountDownLatch(1).await(200, TimeUnit.MICROSECONDS)).isFalse();
  }

  @Test
  void interrupt_leftBehindByAHandler_doesNotReachTheNextJob() throws Exception {
    AtomicInteger strays = new AtomicInteger();
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              if (Thread.interrupted()) {
                strays.incrementAndGet();
              }
              Thread.currentThread().interrupt();
            })
        .concurrency(1)
        .listener(told)
        .start();

    for (int i = 0; i < 20; i++) {
      queues.enqueue(MAIL, "m");
    }
    for (int i = 0; i < 20; i++) {
      assertThat(told.next()).isEqualTo("mail COMPLETED");
    }

    assertThat(strays.get()).isZero();
  }
}
