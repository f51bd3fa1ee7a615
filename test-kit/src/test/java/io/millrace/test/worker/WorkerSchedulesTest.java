package io.millrace.test.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.WorkerSetup;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** A worker makes the jobs of schedules, and runs them. */
class WorkerSchedulesTest extends WorkerRig {

  @Test
  void schedules_timePasses_jobsAreMadeAndRunForTheirInstants() {
    Schedules schedules = Schedules.of(engine);
    schedules.put(Schedule.cron("daily", "0 3 * * *", ZoneOffset.UTC).enqueue(MAIL, "report"));
    engine
        .worker()
        .handle(
            MAIL, (text, job) -> said.add(text + " for " + job.scheduledFor() + " at " + job.now()))
        .schedules()
        .start();

    engine.advance(Duration.ofDays(3));
    assertThat(schedules.runNow("daily")).isPresent();
    engine.run();

    assertThat(said)
        .containsExactly(
            "report for Optional[2024-01-01T03:00:00Z] at 2024-01-01T03:00:00Z",
            "report for Optional[2024-01-02T03:00:00Z] at 2024-01-02T03:00:00Z",
            "report for Optional[2024-01-03T03:00:00Z] at 2024-01-03T03:00:00Z",
            "report for Optional.empty at 2024-01-04T00:00:00Z");
  }

  @Test
  void scheduledFor_headerOfSomebodyElse_isNone() {
    engine.worker().handle(MAIL, (text, job) -> said.add(text + " " + job.scheduledFor())).start();
    engine.enqueue(MAIL, "x", options -> options.header(Schedule.SCHEDULED_FOR, "soon"));

    assertThat(engine.run()).isEqualTo(1);

    assertThat(said).containsExactly("x Optional.empty");
  }

  @Test
  void schedules_saidTwice_isRefused() {
    WorkerSetup setup = engine.worker().schedules();

    assertThatThrownBy(setup::schedules)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=millrace.schedules");
  }
}
