package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulePlanTest {

  private static final long INSTANT_MS = 1_700_000_000_000L;

  private static SchedulePlan plan(Missed missed) {
    return new SchedulePlan(
        new PeriodTimes(1_000, 0),
        missed,
        Overlap.ALLOW,
        0,
        QueueName.of("reports"),
        NewJob.of(new byte[0]));
  }

  @Test
  void dueOf_skippingWhatWasMissed_isTheNewestUntilItIsTooLate() {
    SchedulePlan plan = plan(Missed.SKIP);
    List<Long> come = List.of(INSTANT_MS - 1_000, INSTANT_MS);
    long latestMs = INSTANT_MS + Schedule.LATE_MOST.toMillis();

    assertThat(plan.dueOf(come, latestMs)).containsExactly(INSTANT_MS);
    assertThat(plan.dueOf(come, latestMs + 1)).isEmpty();
  }

  @Test
  void dueOf_withoutSkipping_isAllThatHasCome() {
    List<Long> come = List.of(INSTANT_MS - 1_000, INSTANT_MS);

    assertThat(plan(Missed.all(5)).dueOf(come, Long.MAX_VALUE)).isEqualTo(come);
  }
}
