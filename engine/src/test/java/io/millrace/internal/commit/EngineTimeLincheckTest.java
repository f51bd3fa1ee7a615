package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import io.millrace.internal.format.MetaRecords;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Engine time as threads beside the loop see it. */
@Tag("slow")
class EngineTimeLincheckTest {

  private static final long START_MS = 1_700_000_000_000L;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  @Test
  void latestMs_interleavingsModelled_isATimeThatWas() {
    LincheckTrials.checkInterleavings(
        getClass(),
        Time.class,
        TimeSpecification.class,
        List.of(List.of("secondPasses", "secondPasses"), List.of("latestMs", "latestMs")));
  }

  /** A clock that goes by the second, and a loop that looks at it. */
  public static final class Time {

    private volatile long seconds;
    private final EngineTime time =
        new EngineTime(new SecondsClock(), NS_PER_SECOND, (gapNs, leaseNs) -> {});

    public Time() {
      time.start(new MetaRecords.Time(START_MS, START_MS));
    }

    @Operation(nonParallelGroup = "loop")
    public void secondPasses() {
      seconds = seconds + 1;
      time.advance(NS_PER_SECOND);
    }

    @Operation
    public long latestMs() {
      return time.latestMs() - START_MS;
    }

    private final class SecondsClock implements EngineClock {

      @Override
      public long epochMs() {
        return START_MS + 1_000 * seconds;
      }

      @Override
      public long monotonicNs() {
        return NS_PER_SECOND * seconds;
      }

      @Override
      public void parkNs(long durationNs) {
        throw new UnsupportedOperationException("nobody sleeps here");
      }
    }
  }

  /** The same without threads. */
  public static final class TimeSpecification {

    private long seconds;

    public void secondPasses() {
      seconds++;
    }

    public long latestMs() {
      return 1_000 * seconds;
    }
  }
}
