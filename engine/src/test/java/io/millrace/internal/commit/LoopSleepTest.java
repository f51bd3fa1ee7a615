package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoopSleepTest {

  private static final long LONG_NS = Duration.ofSeconds(4).toNanos();

  private final LoopSleep sleep = new LoopSleep(EngineClock.SYSTEM, Thread.currentThread());

  @Test
  void sleepUnless_thereIsWork_isLeftOut() {
    long begunNs = System.nanoTime();

    boolean hasSlept = sleep.sleepUnless(() -> true, LONG_NS);

    assertThat(hasSlept).isFalse();
    assertThat(System.nanoTime() - begunNs).isLessThan(LONG_NS / 2);
  }

  @Test
  void sleepUnless_thereIsNoWork_lastsAsLongAsItMay() {
    long begunNs = System.nanoTime();

    boolean hasSlept = sleep.sleepUnless(() -> false, 1_000_000);

    assertThat(hasSlept).isTrue();
    assertThat(System.nanoTime() - begunNs).isLessThan(LONG_NS / 2);
  }

  @Test
  void wake_workComesRightAfterTheLastLook_endsTheSleepAtOnce() {
    long begunNs = System.nanoTime();

    boolean hasSlept =
        sleep.sleepUnless(
            () -> {
              sleep.wake();
              return false;
            },
            LONG_NS);

    assertThat(hasSlept).isTrue();
    assertThat(System.nanoTime() - begunNs).isLessThan(LONG_NS / 2);
  }
}
