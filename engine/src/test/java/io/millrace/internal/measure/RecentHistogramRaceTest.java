package io.millrace.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Distribution;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The histogram of the last minute, read while it is written.
 *
 * <p>Each period has a value of its own, the later the smaller, so that a value which should have
 * been forgotten is the largest.
 */
@Tag("slow")
final class RecentHistogramRaceTest {

  private static final int PERIOD_COUNT = 31;
  private static final int ADDS_PER_PERIOD = 20;
  private static final int PERIODS_KEPT = 4;

  /** One histogram, whose writer goes through all periods. */
  private static final class Round {

    private final RecentHistogram histogram = new RecentHistogram(0);
    private final List<String> mistakes = new ArrayList<>();
    private volatile int period;
    private long readCount;

    void write() {
      for (int i = 0; i < PERIOD_COUNT; i++) {
        period = i;
        for (int j = 0; j < ADDS_PER_PERIOD; j++) {
          histogram.add(value(i), atNs(i));
        }
      }
    }

    void read() {
      int before = 0;
      while (before < PERIOD_COUNT - 1) {
        before = period;
        Distribution recent = histogram.spread(atNs(before)).recent();
        boolean isSamePeriod = period == before;
        int wholePeriods = Math.min(before, PERIODS_KEPT - 1);
        note("a value of a period that is over", recent.max() > value(before - wholePeriods));
        note("too many", recent.count() > PERIODS_KEPT * ADDS_PER_PERIOD);
        note("too few", isSamePeriod && recent.count() < wholePeriods * ADDS_PER_PERIOD);
        readCount++;
      }
    }

    private void note(String mistake, boolean isSeen) {
      if (isSeen) {
        mistakes.add(mistake);
      }
    }

    private static long value(int period) {
      return PERIOD_COUNT - period;
    }

    private static long atNs(int period) {
      return TimeUnit.SECONDS.toNanos(15L * period);
    }
  }

  @Test
  void spread_whilePeriodsPass_neverHasWhatIsOver() throws Exception {
    int roundCount = Trials.count("histogramRounds", 200, 2_000, 100_000);
    List<String> mistakes = new ArrayList<>();
    long readCount = 0;

    for (int i = 0; i < roundCount; i++) {
      Round round = new Round();
      Thread writer = new Thread(round::write);
      writer.start();
      round.read();
      writer.join();
      mistakes.addAll(round.mistakes);
      readCount += round.readCount;
    }

    assertThat(mistakes).isEmpty();
    Trials.report(getClass(), "rounds=" + roundCount + ", reads=" + readCount + ", mistakes=0");
  }
}
