package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.TicksByHand;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A wall clock that leaps far, for a moment, an hour, or for ever, and what becomes of schedules.
 */
class ClockLeapScheduleTrapsTest extends TrapTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<String> made = new ArrayList<>();

  private static void declare(EngineHarness harness) {
    Schedules.of(harness.queues())
        .declare(
            "shop",
            Schedule.cron("cron", "* * * * * *", ZoneOffset.UTC).enqueue(MAIL, "cron"),
            Schedule.every("period", SECOND).enqueue(MAIL, "period"));
  }

  /** Lets time pass second by second; how many jobs were made. */
  private int pass(EngineHarness harness, int seconds) {
    int before = made.size();
    for (int i = 0; i < seconds; i++) {
      advance(harness, SECOND);
      TicksByHand.runDue(harness.queues());
      for (Lease lease : claim(mail(harness), 100)) {
        made.add(payload(lease) + " " + lease.headers().get(Schedule.SCHEDULED_FOR));
        lease.complete().orThrow();
      }
    }
    return made.size() - before;
  }

  @ParameterizedTest
  @ValueSource(longs = {-3650, -1, 1, 3650})
  void leap_forAMoment_takesNoInstantAndIsTold(long days) {
    EngineHarness harness = start(StoreKind.MEMORY);
    declare(harness);
    enqueue(mail(harness), "late", EnqueueOptions.DEFAULT.timeToLive(Duration.ofHours(1)));
    assertThat(claim(mail(harness))).isNotNull();
    pass(harness, 5);

    harness.clock().stepWallMs(Duration.ofDays(days).toMillis());
    harness.poke();
    assertThat(pass(harness, 3)).isBetween(5, 6);
    assertThat(harness.engine().health().warnings())
        .anyMatch(warning -> warning.startsWith("wall clock has leapt "));
    harness.clock().stepWallMs(-Duration.ofDays(days).toMillis());

    assertThat(pass(harness, 20)).isBetween(38, 42);
    assertThat(made).doesNotHaveDuplicates();
    assertThat(made).allMatch(text -> text.contains(" 2023-11-14T22:13:"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3650, -1, 1, 3650})
  void leap_forLong_isFollowedAndBackAgain_andNoInstantHasTwoTurns(long days) {
    EngineHarness harness = start(StoreKind.MEMORY);
    declare(harness);
    pass(harness, 5);

    harness.clock().stepWallMs(Duration.ofDays(days).toMillis());
    harness.poke();
    pass(harness, 40);
    TicksByHand.looks(harness.queues()).run();
    assertThat(pass(harness, 20)).isBetween(38, 42);
    assertNear(harness);
    harness.clock().stepWallMs(-Duration.ofDays(days).toMillis());
    pass(harness, 40);
    TicksByHand.looks(harness.queues()).run();

    assertThat(pass(harness, 20)).isBetween(38, 42);
    assertNear(harness);
    assertThat(made).doesNotHaveDuplicates();
    harness.clock().stepWallMs(Duration.ofDays(days).toMillis());
    pass(harness, 60);
    assertThat(made).doesNotHaveDuplicates();
  }

  private static void assertNear(EngineHarness harness) {
    Instant wall = Instant.ofEpochMilli(harness.clock().epochMs());
    assertThat(Duration.between(wall, harness.queues().now())).isBetween(SECOND.negated(), SECOND);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3650})
  void restart_afterTheClockWasAhead_declareGoesOnAtOnce(long days) {
    EngineHarness harness = start(StoreKind.MEMORY);
    declare(harness);
    harness.clock().stepWallMs(Duration.ofDays(days).toMillis());
    harness.poke();
    pass(harness, 60);
    harness.clock().stepWallMs(-Duration.ofDays(days).toMillis());
    harness.restartCleanly();
    assertThat(harness.engine().health().warnings()).isNotEmpty();

    declare(harness);

    assertThat(pass(harness, 20)).isBetween(36, 42);
    assertThat(made).doesNotHaveDuplicates();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.DEAD)).isZero();
  }

  @Test
  void setBack_hourlySchedules_arePutRightWithinASecond() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Runnable look = TicksByHand.looks(harness.queues());
    declareHourly(harness);
    for (int i = 0; i < 3; i++) {
      leap(harness, Duration.ofDays(1), look);
      assertThat(isNear(harness)).isTrue();
      leap(harness, Duration.ofDays(-1), look);
      assertThat(isNear(harness)).isTrue();
    }
  }

  @Test
  void setBack_whileNobodyLooked_isPutRightByAWorkerThatStarts() {
    EngineHarness harness = start(StoreKind.MEMORY);
    declareHourly(harness);
    leap(harness, Duration.ofDays(1), () -> {});
    leap(harness, Duration.ofDays(-1), () -> {});
    assertThat(isNear(harness)).isFalse();

    try (Worker worker = Worker.on(harness.queues()).schedules().start()) {
      Await.until("schedules are put right", () -> isNear(harness));
      assertThat(worker.unknownTypes()).isEmpty();
    }
  }

  private static void declareHourly(EngineHarness harness) {
    Schedules.of(harness.queues())
        .declare(
            "shop",
            Schedule.cron("cron", "0 * * * *", ZoneOffset.UTC).enqueue(MAIL, "cron"),
            Schedule.every("period", Duration.ofHours(1)).enqueue(MAIL, "period"));
  }

  /** The clock leaps, and is believed; meanwhile ticks run, and this each second. */
  private static void leap(EngineHarness harness, Duration time, Runnable look) {
    harness.clock().stepWallMs(time.toMillis());
    harness.poke();
    for (int i = 0; i < 40; i++) {
      look.run();
      TicksByHand.runDue(harness.queues());
      advance(harness, SECOND);
    }
  }

  /** Whether the schedules wait for what comes next. */
  private static boolean isNear(EngineHarness harness) {
    Instant now = harness.queues().now();
    Instant soon = now.plus(Duration.ofHours(2));
    return Schedules.of(harness.queues()).list(PageRequest.first(10)).items().stream()
        .allMatch(status -> status.next().filter(soon::isAfter).filter(now::isBefore).isPresent());
  }
}
