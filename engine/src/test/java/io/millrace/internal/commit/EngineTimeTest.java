package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineClock;
import io.millrace.internal.format.MetaRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The three times, with both clocks in the test's hands. */
final class EngineTimeTest {

  private static final long START_MS = 1_700_000_000_000L;
  private static final long NS_PER_MS = 1_000_000;
  private static final long STALL_NS = 250 * NS_PER_MS;

  private long wallMs = START_MS;
  private long monotonicNs = 5;
  private long pauseMs;
  private final List<Long> gapsNs = new ArrayList<>();
  private final EngineTime time =
      new EngineTime(new HandClock(), STALL_NS, (gapNs, leaseNs) -> gapsNs.add(gapNs));

  private final class HandClock implements EngineClock {

    @Override
    public long epochMs() {
      long shownMs = wallMs;
      wallMs += pauseMs;
      monotonicNs += pauseMs * NS_PER_MS;
      pauseMs = 0;
      return shownMs;
    }

    @Override
    public long monotonicNs() {
      return monotonicNs;
    }

    @Override
    public void parkNs(long ns) {
      throw new UnsupportedOperationException("nobody sleeps here");
    }
  }

  private void start() {
    time.start(new MetaRecords.Time(START_MS, START_MS));
  }

  private void pass(long elapsedNs, long wallStepMs) {
    monotonicNs += elapsedNs;
    wallMs += wallStepMs;
    time.advance(elapsedNs);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 1_000, 60_000})
  void advance_pausedBetweenTheTwoClocks_isNoWallClockThatWasSet(long pausedMs) {
    start();
    pass(NS_PER_MS, 1);

    pauseMs = pausedMs;
    pass(NS_PER_MS, 1);

    assertThat(time.nowMs()).isEqualTo(START_MS + 2 + pausedMs);
    assertThat(time.steadyMs()).isEqualTo(START_MS + 2 + pausedMs);
    assertThat(time.warnings(Duration.ZERO)).isEmpty();
  }

  @Test
  void start_pausedBetweenTheTwoClocks_beginsWhereTheWallClockIs() {
    pauseMs = 1_000;
    start();

    assertThat(time.nowMs()).isEqualTo(START_MS + 1_000);
    pass(NS_PER_MS, 1);
    assertThat(time.nowMs()).isEqualTo(START_MS + 1_001);
  }

  @Test
  void advance_wallClockTicksALittleEarly_keepsBothTimesTogether() {
    start();

    pass(200_000, 1);
    pass(900_000, 1);

    assertThat(time.nowMs()).isEqualTo(START_MS + 2);
    assertThat(time.steadyMs()).isEqualTo(START_MS + 2);
  }

  @Test
  void advance_looksSeveralTimesInATick_steadyTimeRunsNoFasterThanTheMonotonicClock() {
    start();

    for (int look = 1; look <= 10_000; look++) {
      long nextMs = START_MS + look * 300_000L / NS_PER_MS;
      pass(300_000, nextMs - wallMs);
    }

    assertThat(time.steadyMs()).isEqualTo(START_MS + 3_000);
    assertThat(time.nowMs()).isEqualTo(START_MS + 3_000);
  }

  @Test
  void advance_wallClockIsSetAhead_pullsEngineTimeAlone() {
    start();

    pass(10 * NS_PER_MS, 5_010);

    assertThat(time.nowMs()).isEqualTo(START_MS + 5_010);
    assertThat(time.steadyMs()).isEqualTo(START_MS + 10);
  }

  @Test
  void advance_wallClockIsSetBack_letsEngineTimeRunAtHalfSpeedUntilTheyMeet() {
    start();

    pass(0, -1_000);
    pass(1_000 * NS_PER_MS, 1_000);
    long whileBehindMs = time.nowMs();
    pass(2_000 * NS_PER_MS, 2_000);

    assertThat(whileBehindMs).isEqualTo(START_MS + 500);
    assertThat(time.nowMs()).isEqualTo(START_MS + 2_000);
    assertThat(time.steadyMs()).isEqualTo(START_MS + 3_000);
  }

  @Test
  void advance_longerAwayThanMeant_movesTheLeaseClockByTheGap() {
    start();
    long beforeNs = time.leaseNsNow();

    monotonicNs += 10_000 * NS_PER_MS;
    wallMs += 10_000;
    time.advance(1_000 * NS_PER_MS);

    assertThat(time.leaseNsNow() - beforeNs).isEqualTo(1_000 * NS_PER_MS);
    assertThat(gapsNs).containsExactly(9_000 * NS_PER_MS);
    assertThat(time.takeWasAway()).isTrue();
    assertThat(time.takeWasAway()).isFalse();
  }

  @Test
  void start_lastCommitIsFarAheadOfTheWall_beginsAtMostASecondAhead() {
    time.start(new MetaRecords.Time(START_MS + 60_000, START_MS + 60_000));

    assertThat(time.nowMs()).isEqualTo(START_MS + 1_000);
    assertThat(time.steadyMs()).isEqualTo(START_MS + 60_000);
  }
}
