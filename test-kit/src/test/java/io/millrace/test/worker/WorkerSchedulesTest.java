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

  private void putDaily() {
    Schedules.of(engine)
        .put(Schedule.cron("daily", "0 3 * * *", ZoneOffset.UTC).enqueue(MAIL, "report"));
  }

  @Test
  void withoutSchedules_jobsAreMadeByAnotherWorkerAlone() {
    putDaily();
    engine.worker().handle(MAIL, (text, job) -> said.add(text)).withoutSchedules().start();

    assertThat(engine.advance(Duration.ofDays(2))).isZero();
    engine.worker().schedules().start();
    engine.run();

    assertThat(said).containsExactly("report");
  }

  @Test
  void schedules_worksForAllTenantsOrHasLimits_jobsAreMade() {
    putDaily();
    engine
        .worker()
        .handle(MAIL, (text, job) -> said.add(text), how -> how.concurrency(1))
        .allTenants()
        .start();

    engine.advance(Duration.ofDays(2));

    assertThat(said).containsExactly("report", "report");
  }

  @Test
  void schedules_saidAndDenied_isRefused() {
    WorkerSetup setup = engine.worker().name("w").schedules();
    WorkerSetup without = engine.worker().name("w").withoutSchedules();

    assertThatThrownBy(setup::withoutSchedules)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worker is told to make the jobs of schedules, and not to: worker=w; say one");
    assertThatThrownBy(without::schedules).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void start_nothingElseToDo_isRefusedUnlessItSaysSchedules() {
    assertThatThrownBy(() -> engine.worker().start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no handlers");
    engine.worker().schedules().start().close();
  }

  @Test
  void schedules_saidTwice_isRefused() {
    WorkerSetup setup = engine.worker().schedules();

    assertThatThrownBy(setup::schedules)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=millrace.schedules");
  }
}
