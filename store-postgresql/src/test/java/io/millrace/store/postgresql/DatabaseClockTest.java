package io.millrace.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests of the database's clock, with a monotonic clock and answers that the test makes up. */
class DatabaseClockTest {

  private static final long MS = 1_000_000;
  private static final long EPOCH_US = 1_800_000_000_000_000L;

  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5_000 * MS);
  private final long beganNs = nowNs.get();
  private final DatabaseClock clock = new DatabaseClock(nowNs::get);

  /** Returns the database's time, which begins when the test does and goes as the monotonic one. */
  private long databaseUs() {
    return EPOCH_US + (nowNs.get() - beganNs) / 1_000;
  }

  private void pass(long ns) {
    nowNs.addAndGet(ns);
  }

  private void answer(long thereNs, long backNs) {
    answer(thereNs, backNs, 0);
  }

  private void answer(long thereNs, long backNs, long aheadUs) {
    long sentNs = nowNs.get();
    pass(thereNs);
    long then = databaseUs() + aheadUs;
    pass(backNs);
    clock.look(sentNs, nowNs.get(), then);
  }

  /** Returns by how much the clock is ahead of the database's. */
  private long aheadMs() {
    return clock.nowMs().orElseThrow() - databaseUs() / 1_000;
  }

  @Test
  void nowMs_beforeAnyAnswer_isUnknown() {
    assertThat(clock.nowMs()).isEmpty();
  }

  @Test
  void nowMs_answersOfManyKinds_staysWhereItIsAndGoesOn() {
    answer(MS, MS);
    long ahead = clock.nowMs().orElseThrow() * MS - nowNs.get();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1_000; i++) {
      pass(random.nextLong(10 * MS));
      answer(random.nextLong(200 * MS), random.nextLong(200 * MS));
      assertThat(aheadMs()).isBetween(-1L, 1L);
      assertThat(clock.nowMs().orElseThrow() * MS - nowNs.get()).isBetween(ahead - MS, ahead + MS);
    }
    // The monotonic clock has gone beyond the largest number meanwhile, as it may.
    assertThat(nowNs.get()).isNegative();
  }

  @Test
  void look_aSlowAnswerThenAQuickOne_isAsExactAsTheQuickOne() {
    answer(0, 1_000 * MS);
    assertThat(Math.abs(aheadMs())).isBetween(499L, 501L);

    answer(MS / 10, MS / 10);

    assertThat(aheadMs()).isBetween(-1L, 1L);
  }

  @Test
  void look_databasesClockWasSet_isFollowedAtOnce() {
    answer(MS, MS);
    answer(MS, MS, 3_600_000_000L);
    assertThat(aheadMs()).isBetween(3_599_998L, 3_600_002L);

    answer(MS, MS, -60_000_000L);

    assertThat(aheadMs()).isBetween(-60_002L, -59_998L);
  }

  @Test
  void look_clocksDriftApart_isFollowedLittleByLittle() {
    answer(MS, MS);
    long last = aheadMs();
    for (int i = 1; i <= 1_000; i++) {
      pass(10 * MS);
      // One microsecond in ten milliseconds: 100 ppm.
      answer(MS, MS, i);
      long now = aheadMs();
      assertThat(now - last).isBetween(-1L, 1L);
      last = now;
    }
    assertThat(aheadMs()).isBetween(-1L, 3L);
  }
}
