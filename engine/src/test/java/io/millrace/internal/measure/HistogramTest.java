package io.millrace.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Distribution;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HistogramTest {

  private final Histogram histogram = new Histogram();

  @Test
  void distribution_ofNothing_isEmpty() {
    assertThat(distribution()).isEqualTo(Distribution.EMPTY);
    assertThat(Distribution.EMPTY.mean()).isZero();
  }

  @Test
  void distribution_ofSmallValues_isExact() {
    for (int value = 1; value <= 10; value++) {
      histogram.add(value);
    }

    assertThat(distribution()).isEqualTo(new Distribution(10, 55, 5, 9, 10, 10));
    assertThat(distribution().mean()).isEqualTo(5);
  }

  @Test
  void distribution_ofOneValue_isThatValueThroughout() {
    histogram.add(1_000_003);

    assertThat(distribution())
        .isEqualTo(new Distribution(1, 1_000_003, 1_000_003, 1_000_003, 1_000_003, 1_000_003));
  }

  @Test
  void distribution_ofManyValues_isAboveTheExactOneByAThirtySecondAtMost() {
    long[] values = new SplittableRandom(7).longs(10_000, 1, 5_000_000_000L).sorted().toArray();
    for (long value : values) {
      histogram.add(value);
    }

    Distribution told = distribution();

    assertThat(told.p50()).isBetween(values[4_999], values[4_999] + values[4_999] / 32);
    assertThat(told.p90()).isBetween(values[8_999], values[8_999] + values[8_999] / 32);
    assertThat(told.p99()).isBetween(values[9_899], values[9_899] + values[9_899] / 32);
    assertThat(told.max()).isEqualTo(values[9_999]);
    assertThat(told.count()).isEqualTo(10_000);
  }

  @Test
  void add_negativeOrHuge_isKeptInTheEndCells() {
    histogram.add(-5);
    histogram.add(Long.MAX_VALUE);

    assertThat(distribution().p50()).isZero();
    assertThat(distribution().max()).isEqualTo(Long.MAX_VALUE);
    assertThat(Histogram.cellOf(Long.MAX_VALUE)).isEqualTo(Histogram.CELL_COUNT - 1);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "31, 31", "32, 32", "63, 63", "64, 64", "65, 64", "66, 65", "127, 95"})
  void cellOf_value_isItsCell(long value, int cell) {
    assertThat(Histogram.cellOf(value)).isEqualTo(cell);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 31, 32, 63, 64, 1_000, 1_000_000, 1L << 40, (1L << 42) - 1})
  void largestOf_cellOfAValue_isInThatCellAndNotBelow(long value) {
    int cell = Histogram.cellOf(value);

    long largest = Histogram.largestOf(cell);

    assertThat(largest).isGreaterThanOrEqualTo(value);
    assertThat(Histogram.cellOf(largest)).isEqualTo(cell);
    assertThat(Histogram.cellOf(largest + 1))
        .isEqualTo(Math.min(cell + 1, Histogram.CELL_COUNT - 1));
  }

  @Test
  void clear_afterValues_isEmpty() {
    histogram.add(3);

    histogram.clear();

    assertThat(distribution()).isEqualTo(Distribution.EMPTY);
  }

  @Test
  void bitLengths_valuesAroundPowersOfTwo_areCountedByTheirBits() {
    for (long value : new long[] {0, 1, 2, 3, 4, 1_023, 1_024, 1_025, (1L << 41) - 1, 1L << 41}) {
      histogram.add(value);
    }
    histogram.add(Long.MAX_VALUE);

    List<Long> told = values().bitLengths();

    assertThat(told).hasSize(43);
    assertThat(told.subList(0, 4)).containsExactly(1L, 1L, 2L, 1L);
    assertThat(told.subList(10, 12)).containsExactly(1L, 2L);
    assertThat(told.subList(41, 43)).containsExactly(1L, 2L);
    assertThat(told.stream().mapToLong(Long::longValue).sum()).isEqualTo(distribution().count());
  }

  private Distribution distribution() {
    return values().distribution();
  }

  private Histogram.Values values() {
    Histogram.Values values = new Histogram.Values();
    histogram.addTo(values);
    return values;
  }
}
