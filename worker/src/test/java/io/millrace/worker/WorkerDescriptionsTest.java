package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.describe.Description;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.OpenData;
import io.millrace.worker.Schedule.Missed;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerDescriptionsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  static List<Description<?>> all() {
    return List.of(
        WorkerDescriptions.RUNNING_JOB,
        WorkerDescriptions.SCHEDULE,
        WorkerDescriptions.SCHEDULES,
        WorkerDescriptions.STOP_REPORT);
  }

  @ParameterizedTest
  @MethodSource("all")
  void description_always_hasEveryComponentOfItsRecordOnce(Description<?> description) {
    assertThat(description.attributes().stream().map(Attribute::accessor))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(description.type().getRecordComponents())
                .map(RecordComponent::getName)
                .toList());
  }

  @Test
  void openData_ofSchedules_areReadAsTheyWere() {
    Page<ScheduleStatus> page =
        new Page<>(
            List.of(
                schedule(Missed.RUN_ONCE, Optional.of(NOON)),
                schedule(Missed.SKIP, Optional.empty()),
                schedule(Missed.all(7), Optional.empty())),
            Optional.of("next"));

    assertThat(
            OpenData.read(
                WorkerDescriptions.SCHEDULES, OpenData.write(WorkerDescriptions.SCHEDULES, page)))
        .isEqualTo(page);
  }

  private static ScheduleStatus schedule(Missed missed, Optional<Instant> next) {
    return new ScheduleStatus(
        "nightly",
        "0 2 * * *",
        missed,
        Schedule.Overlap.SKIP,
        Duration.ofSeconds(5),
        new QueueName("mail", "acme"),
        next.map(at -> "letter"),
        next.map(at -> "ada"),
        next,
        next,
        next.map(at -> new JobId(1, 2)),
        next.map(at -> "zone is unknown"));
  }
}
