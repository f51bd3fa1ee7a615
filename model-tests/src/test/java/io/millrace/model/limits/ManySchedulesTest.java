package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import io.millrace.engine.noted.Noted;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.TicksByHand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Schedules cost nothing until they are due: beside a hundred thousand of them time passes without
 * a commit, and one that is due costs as much as beside a single one.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("thorough")
class ManySchedulesTest {

  private static final int SCHEDULE_COUNT = Trials.count("schedules", 100_000, 100_000, 100_000);
  private static final int DECLARED_COUNT = 10_000;
  private static final JobType<String> MADE = JobType.of("made", Codec.TEXT);

  @TempDir Path folder;

  /** What something cost the store. */
  private record Cost(long reads, long rowsVisited, long commits) {

    static Cost soFar(EngineHarness harness) {
      return new Cost(
          harness.store().readCount(), harness.store().rowsVisited(), harness.store().lastCommit());
    }

    Cost since(Cost before) {
      return new Cost(
          reads - before.reads, rowsVisited - before.rowsVisited, commits - before.commits);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"LMDB", "ROCKSDB"})
  void waitingAndOneTick_besideManySchedules_costAsMuchAsBesideOne(StoreKind kind) {
    Setup setup = Setup.DEFAULT.withDurability(Durability.BUFFERED);
    try (EngineHarness harness = new EngineHarness(kind, folder.resolve("store"), setup)) {
      QueueName ticks = QueueName.of(TicksByHand.QUEUE);
      Noted.of(harness.engine())
          .orElseThrow()
          .serve(List.of(MADE.queueName(), ticks), List.of()); // as the workers that are not here
      Schedules schedules = Schedules.of(harness.engine());
      schedules.put(Schedule.every("soon", Duration.ofHours(1)).enqueue(MADE, "soon"));
      put(schedules, 1);
      tick(harness);
      Cost tickBesideOne = tick(harness);
      put(schedules, SCHEDULE_COUNT);
      tick(harness);

      assertThat(waiting(harness)).isEqualTo(new Cost(0, 0, 0));
      assertThat(tick(harness)).isEqualTo(tickBesideOne);
    }
  }

  private static void put(Schedules schedules, int count) {
    for (int i = 0; i < count; i += DECLARED_COUNT) {
      String part = count + " from " + i + ": ";
      List<Schedule> some =
          IntStream.range(i, Math.min(count, i + DECLARED_COUNT))
              .mapToObj(n -> Schedule.every(part + n, Duration.ofDays(30)).enqueue(MADE, "later"))
              .toList();
      assertThat(schedules.declare(part, some)).containsOnly(Schedules.PutResult.NEW);
    }
  }

  /** Half an hour in which nothing is due. */
  private static Cost waiting(EngineHarness harness) {
    harness.awaitNothingDue();
    Cost before = Cost.soFar(harness);
    for (int minute = 0; minute < 30; minute++) {
      harness.clock().advanceMs(TimeUnit.MINUTES.toMillis(1));
      harness.awaitNothingDue();
    }
    return Cost.soFar(harness).since(before);
  }

  /** The hour is over, and one schedule is due. */
  private static Cost tick(EngineHarness harness) {
    harness.awaitNothingDue();
    Cost before = Cost.soFar(harness);
    harness.clock().advanceMs(TimeUnit.HOURS.toMillis(1));
    harness.poke();
    harness.awaitNothingDue();
    assertThat(TicksByHand.runDue(harness.engine())).isOne();
    harness.storeLeases();
    return Cost.soFar(harness).since(before);
  }
}
