package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import io.millrace.spring.Recurring;
import io.millrace.worker.JobContext;
import io.millrace.worker.Schedule;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Recurring methods: their schedules come and go with the annotations. */
public abstract class RecurringContractTest {

  /** Recurring methods. */
  static class Reports {

    final Seen seen = new Seen();

    @Recurring(name = "nightly", cron = "0 3 * * *", zone = "Europe/Berlin", jitter = "20s")
    void nightly() {}

    @Recurring(
        name = "often",
        every = "${reports.every}",
        queue = "reports",
        overlap = Schedule.Overlap.SKIP,
        missed = Recurring.Missed.SKIP)
    void often(JobContext job) {
      seen.add(job.type() + " in " + job.queue().name());
    }
  }

  /** The same without the first one. */
  static class FewerReports {
    @Recurring(name = "often", every = "1m")
    void often() {}
  }

  @Test
  void schedules_ofAnnotations_areStoredWithTheirOwner() {
    Contexts.with(Reports.class)
        .withPropertyValues("reports.every=5m")
        .run(
            context -> {
              Schedules schedules = context.getBean(Schedules.class);
              ScheduleStatus nightly = schedules.get("nightly").orElseThrow();
              assertThat(nightly.times()).contains("0 3 * * *").contains("Europe/Berlin");
              assertThat(nightly.owner()).contains("shop");
              assertThat(nightly.jitter()).isEqualTo(Duration.ofSeconds(20));
              ScheduleStatus often = schedules.get("often").orElseThrow();
              assertThat(often.queue().name()).isEqualTo("reports");
              assertThat(often.overlap()).isEqualTo(Schedule.Overlap.SKIP);
              assertThat(often.missed()).isEqualTo(Schedule.Missed.SKIP);
            });
  }

  @Test
  void recurring_whenItIsTime_isRun() {
    Contexts.with(Reports.class)
        .withPropertyValues("reports.every=1s")
        .run(
            context ->
                assertThat(context.getBean(Reports.class).seen.next())
                    .isEqualTo("often in reports"));
  }

  @Test
  void annotation_removedOrSwitchedOff_removesItsSchedule(@TempDir Path folder) {
    ApplicationContextRunner stored =
        Contexts.bare().withPropertyValues("millrace.location=lmdb:" + folder.resolve("jobs"));
    stored
        .withUserConfiguration(Reports.class)
        .withPropertyValues("reports.every=1h")
        .run(context -> assertThat(names(context.getBean(JobEngine.class))).hasSize(2));

    stored
        .withUserConfiguration(FewerReports.class)
        .run(
            context ->
                assertThat(names(context.getBean(JobEngine.class))).containsExactly("often"));
    stored
        .withUserConfiguration(Reports.class)
        .withPropertyValues("reports.every=-")
        .run(
            context ->
                assertThat(names(context.getBean(JobEngine.class))).containsExactly("nightly"));
    stored.run(context -> assertThat(names(context.getBean(JobEngine.class))).isEmpty());
  }

  private static List<String> names(JobEngine engine) {
    return Schedules.list(engine, PageRequest.first(100)).items().stream()
        .map(ScheduleStatus::name)
        .toList();
  }

  @Test
  void schedule_ofAnotherOwner_isToldWithWhatToDo(@TempDir Path folder) {
    ApplicationContextRunner stored =
        Contexts.bare(FewerReports.class)
            .withPropertyValues("millrace.location=lmdb:" + folder.resolve("jobs"));
    stored.run(context -> assertThat(context).hasNotFailed());

    stored
        .withPropertyValues("millrace.schedules.owner=warehouse")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("declared by another owner"));
  }

  /** A method with both kinds of times. */
  static class Both {
    @Recurring(name = "both", cron = "@daily", every = "1d")
    void work() {}
  }

  @Test
  void recurring_withCronAndPeriod_isRefused() {
    fails(Both.class, "one of cron and every is to be set, and only one");
  }

  /** A wrong expression. */
  static class WrongCron {
    @Recurring(name = "wrong", cron = "0 25 * * *")
    void work() {}
  }

  @Test
  void recurring_withWrongExpression_isToldWhere() {
    fails(WrongCron.class, "25");
  }

  /** An unknown zone. */
  static class WrongZone {
    @Recurring(name = "wrong", cron = "@daily", zone = "Europe/Atlantis")
    void work() {}
  }

  @Test
  void recurring_withUnknownZone_isRefused() {
    fails(WrongZone.class, "not a zone: value=\"Europe/Atlantis\"");
  }

  /** A payload. */
  static class WithPayload {
    @Recurring(name = "payload", cron = "@daily")
    void work(String text) {}
  }

  @Test
  void recurring_withPayload_isRefused() {
    fails(WithPayload.class, "the method has a payload");
  }

  private static void fails(Class<?> component, String sentence) {
    Contexts.with(component)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining("@Recurring of " + component.getName() + ".work(")
                    .hasMessageContaining(sentence));
  }
}
