package io.millrace.model.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ManualClockTest {

  @Test
  void advanceMs_bothClocks_goOnAndOverTheSign() {
    ManualClock clock = new ManualClock(1_000, Long.MAX_VALUE);

    clock.advanceMs(5);

    assertThat(clock.epochMs()).isEqualTo(1_005);
    assertThat(clock.monotonicNs() - Long.MAX_VALUE).isEqualTo(5_000_000);
  }

  @Test
  void stepWallMs_back_leavesTheMonotonicClock() {
    ManualClock clock = new ManualClock(1_000, 7);

    clock.stepWallMs(-600);

    assertThat(clock.epochMs()).isEqualTo(400);
    assertThat(clock.monotonicNs()).isEqualTo(7);
  }

  @Test
  @Timeout(30)
  void parkNs_clockMovesAtAnyMoment_noMovementIsSleptThrough() throws InterruptedException {
    ManualClock clock = ManualClock.start();
    AtomicInteger seen = new AtomicInteger();
    long start = clock.monotonicNs();
    Thread sleeper =
        new Thread(
            () -> {
              do {
                clock.parkNs(Long.MAX_VALUE);
                seen.set((int) ((clock.monotonicNs() - start) / 1_000_000));
              } while (seen.get() < 5_000);
            });
    sleeper.start();

    for (int ms = 1; ms <= 5_000; ms++) {
      clock.advanceMs(1);
      while (ms % 100 == 0 && seen.get() < ms) {
        Thread.onSpinWait();
      }
    }

    sleeper.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(sleeper.isAlive()).isFalse();
  }
}
