package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final JobType<byte[]> REPORT = JobType.of("report", Codec.BYTES);
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  @Test
  void next_cronAndPeriod_areShown() {
    assertThat(Schedule.cron("n", "0 3 * * *", ZoneId.of("Europe/Berlin")).next(NOON, 2))
        .containsExactly(
            Instant.parse("2026-06-02T01:00:00Z"), Instant.parse("2026-06-03T01:00:00Z"));
    assertThat(Schedule.every("p", Duration.ofMinutes(5)).next(NOON, 2))
        .containsExactly(NOON.plusSeconds(300), NOON.plusSeconds(600));
  }

  @Test
  void badInput_isRefused() {
    byte[] tooLong = new byte[Schedule.PAYLOAD_BYTES_MAX + 1];
    Schedule good = Schedule.every("p", Duration.ofMinutes(5));
    Schedule made = good.enqueue(REPORT, new byte[0]);

    assertRefused(() -> Schedule.every("", Duration.ofMinutes(5)), "name has a length");
    assertRefused(
        () -> Schedule.every("x".repeat(Limits.NAME_BYTES_MAX + 1), Duration.ofMinutes(5)),
        "name has a length");
    assertRefused(() -> Schedule.every("p", Duration.ofMillis(999)), "period is out of range");
    assertRefused(() -> Schedule.every("p", Duration.ofDays(3_651)), "period is out of range");
    assertRefused(
        () -> Schedule.every("p", Duration.ofNanos(1_000_000_001)),
        "period is not of whole milliseconds: value=PT1.000000001S; round it");
    assertRefused(
        () -> Schedule.cron("n", "0 25 * * *", ZoneOffset.UTC), "position=3, found=\"25\"");
    assertRefused(() -> good.enqueue(REPORT, tooLong), "payload length in bytes is out of range");
    assertRefused(
        () -> good.enqueue(REPORT, new byte[0], options -> options.visibleAt(NOON)),
        "options of a recurring job name an instant: visibleAt=2026-06-01T12:00:00Z");
    assertRefused(
        () -> good.enqueue(REPORT, new byte[0], options -> options.batch(new BatchId(1))),
        "options of a recurring job name a batch, which ends: batch=0000000000000001");
    assertRefused(
        () -> good.enqueue(REPORT, new byte[0], options -> options.header("h", "x".repeat(8_150))),
        "length of all headers in bytes is out of range");
    assertRefused(() -> made.enqueue(REPORT, new byte[0]), "schedule has a job already: name=p");
    assertRefused(() -> good.jitter(Duration.ofSeconds(-1)), "jitter is out of range");
    assertRefused(() -> good.jitter(Duration.ofNanos(1)), "jitter is not of whole milliseconds");
    assertRefused(() -> Missed.all(0), "most is out of range: value=0, least=1, most=100");
    assertRefused(() -> Missed.all(101), "most is out of range");
    assertRefused(
        () -> good.overlap(Overlap.SKIP).missed(Missed.all(2)),
        "schedule cannot make several jobs for missed instants and none while one has not ended");
    assertRefused(() -> good.missed(Missed.all(2)).overlap(Overlap.SKIP), "use Missed.RUN_ONCE");
    assertRefused(good::plan, "schedule has no job: name=p; say what it enqueues");
    assertRefused(() -> good.next(NOON, 0), "count is out of range");
  }

  private static void assertRefused(ThrowingCallable call, String told) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told);
  }

  @Test
  void payload_changedByItsOwner_staysAsItWas() {
    byte[] payload = {1};
    Schedule schedule = Schedule.every("p", Duration.ofMinutes(5)).enqueue(REPORT, payload);
    payload[0] = 2;

    assertThat(schedule.plan().job().payload()).containsExactly(1);
  }

  @Test
  void jitterOf_manyInstants_isSpreadAndAlwaysTheSame() {
    SchedulePlan plan =
        Schedule.every("p", Duration.ofMinutes(5))
            .enqueue(REPORT, new byte[0])
            .jitter(Duration.ofMillis(9))
            .plan();
    Set<Long> drawn = new HashSet<>();
    for (long instant = 0; instant < 1_000; instant++) {
      long jitter = plan.jitterOf("p", instant * 60_000);

      assertThat(jitter).isBetween(0L, 9L).isEqualTo(plan.jitterOf("p", instant * 60_000));
      drawn.add(jitter);
    }
    assertThat(drawn).hasSize(10);
    assertThat(plan.at(plan.times()).jitterOf("q", 60_000)).isBetween(0L, 9L);
  }
}
