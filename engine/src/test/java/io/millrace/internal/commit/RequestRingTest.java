package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOverloadedException;
import io.millrace.spi.testkit.fault.Trials;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RequestRingTest {

  /** No machine is so busy that a thread that was woken does not run for so long. */
  private static final long WAKE_NS_MAX = TimeUnit.SECONDS.toNanos(20);

  private final AnswerThread answerThread = new AnswerThread(null);
  private final RequestRing ring =
      new RequestRing(
          EngineOptions.DEFAULT.ringSize(2).overloadWait(Duration.ofMillis(5)), answerThread);

  @AfterEach
  void close() {
    answerThread.close();
  }

  private static LoopAction action() {
    return new LoopAction(() -> {});
  }

  @Test
  void take_afterPuts_isInOrderAndThenNothing() {
    LoopAction first = action();
    LoopAction second = action();
    ring.put(first);
    ring.put(second);

    assertThat(ring.take()).isSameAs(first);
    assertThat(ring.take()).isSameAs(second);
    assertThat(ring.take()).isNull();
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void put_fullForLongerThanCallersWait_isRefusedAndNotInTheRing() {
    ring.put(action());
    ring.put(action());

    assertThatThrownBy(() -> ring.put(action()))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessage(
            "too many requests are queued: waitedMs=5, ringSize=2; nothing happened, try again"
                + " later or raise overloadWait");

    ring.take();
    ring.take();
    assertThat(ring.take()).isNull();
  }

  @Test
  void put_fullAndInterrupted_isRefusedAtOnceAndTheInterruptStays() {
    ring.put(action());
    ring.put(action());
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> ring.put(action()))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessageContaining("interrupted");

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void sleep_putComesRightAfterTheLastLook_isNotSleptThrough() throws InterruptedException {
    RequestRing looked =
        new RequestRing(EngineOptions.DEFAULT.clock(new StandingClock()), answerThread);
    BooleanSupplier lastLook =
        () -> {
          boolean wasEmpty = looked.isEmpty();
          runBeside(() -> looked.put(action()));
          return wasEmpty;
        };
    Thread loop = new Thread(() -> looked.sleep(1, lastLook));
    loop.setDaemon(true);

    loop.start();
    loop.join(TimeUnit.NANOSECONDS.toMillis(WAKE_NS_MAX));

    assertThat(loop.isAlive()).isFalse();
    assertThat(looked.take()).isNotNull();
  }

  /** Waits busily: a wait that parks would use up the wake-up that is looked for. */
  private static void runBeside(Runnable work) {
    Thread other = new Thread(work);
    other.start();
    while (other.isAlive()) {
      Thread.onSpinWait();
    }
  }

  /** The moments around the loop's last look before it sleeps are hit again and again. */
  @Tag("slow")
  @Test
  void sleep_putsComeAtAnyMoment_areTakenAtOnce() {
    int putCount = Trials.count("wakeUps", 50_000, 200_000, 2_000_000);
    long seed = Trials.seed();
    Random random = new Random(seed);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread loop = new Thread(() -> takeUntil(isOver));
    loop.start();
    try {
      for (int i = 0; i < putCount; i++) {
        LoopAction action = action();
        for (int spins = random.nextInt(200); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        ring.put(action);
        long endNs = System.nanoTime() + WAKE_NS_MAX;
        while (!action.isOver()) {
          Thread.onSpinWait();
          assertThat(System.nanoTime() - endNs).as("put %d, seed %d", i, seed).isNegative();
        }
      }
    } finally {
      isOver.set(true);
      LockSupport.unpark(loop);
    }
  }

  private void takeUntil(AtomicBoolean isOver) {
    while (!isOver.get()) {
      if (ring.take() instanceof LoopAction action) {
        action.run();
      } else {
        ring.sleep(2 * WAKE_NS_MAX);
      }
    }
  }

  @Test
  void end_whateverIsInAndComesLater_isRefused() {
    LoopAction before = action();
    LoopAction after = action();
    ring.put(before);

    ring.end();
    ring.put(after);

    for (LoopAction refused : new LoopAction[] {before, after}) {
      assertThat(refused.isOver()).isTrue();
      assertThatThrownBy(refused::join).isInstanceOf(EngineClosedException.class);
    }
  }

  @Test
  void end_whilePutsRace_everyEntryIsTakenOrRefused() throws Exception {
    for (int round = 0; round < 200; round++) {
      RequestRing raced = new RequestRing(EngineOptions.DEFAULT.ringSize(16), answerThread);
      LoopAction action = action();
      CyclicBarrier start = new CyclicBarrier(2);
      Thread producer =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                raced.put(action);
              });
      producer.start();
      start.await();
      raced.end();
      producer.join();

      assertThatThrownBy(action::join).isInstanceOf(EngineClosedException.class);
    }
  }
}
