package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the stretches in which tallies are counted. */
final class TallyCountsTest {

  private static final TallyRecord NO_ONE = TallyRecord.anew(0, 0);

  private static void addAll(TallyCounts counts, long... numbers) {
    for (long number : numbers) {
      counts.addRow(number, NO_ONE);
    }
  }

  @Test
  void rows_moreThanAStretchHas_lowestAreCountedAndTheNextIsTold() {
    TallyCounts counts = new TallyCounts(0, 2);

    addAll(counts, 3, 5, 7, 9);

    assertThat(counts.all().keySet()).containsExactly(3L, 5L);
    assertThat(counts.end()).isEqualTo(7);
  }

  @Test
  void lowerNumber_comesLater_takesThePlaceOfAHigher() {
    TallyCounts counts = new TallyCounts(3, 2);

    addAll(counts, 5, 7, 9);
    counts.addDue(4);
    counts.addDue(2);

    assertThat(counts.all().keySet()).containsExactly(4L, 5L);
    assertThat(counts.end()).isEqualTo(7);
    assertThat(counts.all().firstEntry().getValue().isDue()).isTrue();
  }

  @Test
  void stretches_oneAfterTheOther_haveEachOnce() {
    List<Long> seen = new ArrayList<>();
    long from = 0;
    while (from < Long.MAX_VALUE) {
      TallyCounts counts = new TallyCounts(from, 2);
      addAll(counts, 1, 2, 3, 4, 5);
      seen.addAll(counts.all().keySet());
      from = counts.end();
    }

    assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L);
  }
}
