package io.millrace.internal.measure;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Distribution;
import org.junit.jupiter.api.Test;

final class RecentHistogramTest {

  /** Close to where the monotonic clock's sign turns over. */
  private static final long ORIGIN_NS = Long.MAX_VALUE - SECONDS.toNanos(20);

  private final RecentHistogram histogram = new RecentHistogram(ORIGIN_NS);

  @Test
  void spread_withinTheMinute_hasAllValuesInBoth() {
    histogram.add(1, at(0));
    histogram.add(2, at(16));
    histogram.add(3, at(44));

    assertThat(histogram.spread(at(44)).recent()).isEqualTo(new Distribution(3, 6, 2, 3, 3, 3));
    assertThat(histogram.spread(at(44)).sinceOpening())
        .isEqualTo(new Distribution(3, 6, 2, 3, 3, 3));
  }

  @Test
  void spread_afterAMinute_hasOldValuesInTheTotalAlone() {
    histogram.add(9, at(0));
    histogram.add(2, at(59));
    histogram.add(3, at(61));

    assertThat(histogram.spread(at(61)).recent()).isEqualTo(new Distribution(2, 5, 2, 3, 3, 3));
    assertThat(histogram.spread(at(61)).sinceOpening())
        .isEqualTo(new Distribution(3, 14, 3, 9, 9, 9));
  }

  @Test
  void spread_longAfterTheLastValue_isEmptyForTheRecentPast() {
    histogram.add(9, at(0));

    assertThat(histogram.spread(at(60)).recent()).isEqualTo(Distribution.EMPTY);
    assertThat(histogram.spread(at(60)).sinceOpening())
        .isEqualTo(new Distribution(1, 9, 9, 9, 9, 9));
  }

  private static long at(long seconds) {
    return ORIGIN_NS + SECONDS.toNanos(seconds);
  }
}
