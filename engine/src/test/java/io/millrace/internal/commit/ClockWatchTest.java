package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ClockWatchTest {

  private static final long SECOND_NS = 1_000_000_000L;
  private static final long HOUR_MS = 3_600_000;

  private final ClockWatch watch = new ClockWatch();

  @Test
  void opened_lastCommitIsLaterThanTheWallClock_isTold() {
    assertThat(ClockWatch.opened(HOUR_MS + 1_000, HOUR_MS)).isEmpty();
    assertThat(ClockWatch.opened(0, HOUR_MS)).isEmpty();
    assertThat(ClockWatch.opened(2 * HOUR_MS, HOUR_MS))
        .contains(
            "wall clock is behind the time of the store's last commit: behindMs=3600000; engine"
                + " time begins at most 1000 ms ahead of the wall clock: instants come when that"
                + " shows them, delays of a length go on");
  }

  @Test
  void look_isTold_onceThenWhenTwiceAsFarAndWhenTheyMeet() {
    assertThat(watch.look(1_000, 0)).isEmpty();
    assertThat(watch.look(HOUR_MS, 0).orElseThrow())
        .startsWith("wall clock is behind engine time, which runs at half its speed until they")
        .endsWith(": behindMs=3600000");
    assertThat(watch.look(HOUR_MS - 1, 100 * SECOND_NS)).isEmpty();
    assertThat(watch.look(2 * HOUR_MS - 1, 100 * SECOND_NS)).isEmpty();
    assertThat(watch.look(2 * HOUR_MS, 100 * SECOND_NS).orElseThrow())
        .endsWith(": behindMs=7200000");
    assertThat(watch.look(1, 200 * SECOND_NS)).isEmpty();
    assertThat(watch.look(0, 200 * SECOND_NS)).contains("wall clock and engine time have met");
    assertThat(watch.look(0, 300 * SECOND_NS)).isEmpty();
  }

  @Test
  void look_clockLeapsToAndFro_isToldOnceAMinute() {
    int toldCount = 0;
    for (int second = 0; second < 600; second++) {
      toldCount +=
          watch.look(second % 2 == 0 ? HOUR_MS : 0, second * SECOND_NS).isPresent() ? 1 : 0;
    }

    assertThat(toldCount).isEqualTo(10);
  }
}
