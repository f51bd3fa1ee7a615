package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an executor was given is waited for, but not for ever. */
final class LentTest {

  private final MovedClock clock = new MovedClock();
  private final List<Runnable> queued = new ArrayList<>();
  private final List<Integer> given = new ArrayList<>();
  private final Lent lent = new Lent(queued::add, clock);

  /** A clock that the test moves. */
  private static final class MovedClock implements EngineClock {
    private long nowNs;

    @Override
    public long epochMs() {
      return nowNs / 1_000_000;
    }

    @Override
    public long monotonicNs() {
      return nowNs;
    }

    @Override
    public void parkNs(long durationNs) {
      throw new AssertionError("nobody waits here");
    }
  }

  private void lend(int number) {
    assertThat(lent.isTaken(new Numbered(number))).isTrue();
  }

  private final class Numbered extends Answer {
    private final int number;

    Numbered(int number) {
      this.number = number;
    }

    @Override
    void give() {
      given.add(number);
    }

    @Override
    void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private void advance(long seconds) {
    clock.nowNs += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void look_executorBeginsEverythingInTime_nothingIsGivenHere() {
    for (int i = 0; i < 1_000; i++) {
      lend(i);
    }
    queued.forEach(Runnable::run);
    given.clear();

    advance(3_600);

    assertThat(lent.look(false)).isFalse();
    assertThat(given).isEmpty();
  }

  @Test
  void look_executorDropsSome_theseAreGivenInOrderAfterTwoLooks() {
    for (int i = 0; i < 200; i++) {
      lend(i);
      if (i % 50 != 0) {
        queued.get(i).run();
      }
    }
    given.clear();

    advance(10);
    assertThat(lent.look(false)).isTrue();
    assertThat(given).isEmpty();
    advance(10);

    assertThat(lent.look(false)).isFalse();
    assertThat(given).containsExactly(0, 50, 100, 150);
  }

  @Test
  void look_engineIsClosed_isNotWaitedForAsLong() {
    lend(1);

    advance(1);
    lent.look(true);
    advance(1);

    assertThat(lent.look(true)).isFalse();
    assertThat(given).containsExactly(1);
  }
}
