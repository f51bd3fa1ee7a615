package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedules;
import io.millrace.worker.TicksByHand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A schedule whose queue has room for fewer jobs than are due makes those, and goes on. */
@Tag("calls")
class ScheduleRoomTrapsTest extends TrapTest {

  private static final JobType<byte[]> MAIL = JobType.of("mail", Codec.BYTES);

  private EngineHarness harness;

  @BeforeEach
  void start() {
    harness = start(StoreKind.MEMORY);
  }

  private void put(int most, byte[] payload) {
    Schedules.of(harness.queues())
        .put(
            Schedule.every("all", Duration.ofSeconds(1))
                .missed(Missed.all(most))
                .enqueue(MAIL, payload));
  }

  private List<String> ready() {
    List<Job> jobs = mail(harness).peek(JobState.READY, PageRequest.first(1_000)).items();
    return jobs.stream().map(job -> job.headers().get(Schedule.SCHEDULED_FOR)).toList();
  }

  private static List<String> instants(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(second -> Instant.ofEpochSecond(1_700_000_000 + second).toString())
        .toList();
  }

  @Test
  void tick_roomForFewerThanAreDue_makesTheOldestOnesAndGoesOnWithTheOthersInOrder() {
    put(100, new byte[1]);
    mail(harness).configure(settings -> settings.depthMax(5));
    advance(harness, Duration.ofSeconds(8));

    TicksByHand.runDue(harness.queues());

    assertThat(ready()).isEqualTo(instants(1, 5));
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      for (Lease lease : claim(mail(harness), 10)) {
        made.add(lease.headers().get(Schedule.SCHEDULED_FOR));
        lease.complete().orThrow();
      }
      advance(harness, Duration.ofSeconds(1));
      TicksByHand.runDue(harness.queues());
    }
    made.addAll(ready());
    assertThat(made).hasSizeGreaterThan(10).doesNotHaveDuplicates().isSorted();
    assertThat(made).isEqualTo(instants(1, made.size()));
  }

  @Test
  void tick_queueIsFullForLong_isToldAfterAMinuteUntilThereIsRoom() {
    put(100, new byte[1]);
    enqueue(mail(harness), "in the way");
    mail(harness).configure(settings -> settings.depthMax(1));
    for (int i = 0; i < 5; i++) {
      advance(harness, Duration.ofSeconds(10));
      TicksByHand.runDue(harness.queues());
    }
    assertThat(harness.engine().health().warnings()).isEmpty();

    for (int i = 0; i < 3; i++) {
      advance(harness, Duration.ofSeconds(10));
      TicksByHand.runDue(harness.queues());
    }

    assertThat(harness.engine().health().warnings())
        .filteredOn(text -> !text.contains("nobody claims them: queues=[mail],"))
        .singleElement()
        .asString()
        .startsWith("schedule makes no jobs: name=all, its queue takes none: ");
    claim(mail(harness)).complete().orThrow();
    advance(harness, Duration.ofSeconds(11));
    TicksByHand.runDue(harness.queues());
    assertThat(ready()).isEqualTo(instants(1, 1));
  }

  @Test
  void tick_manyLongPayloadsAreDue_areMadeInBoundedTransactions() {
    put(100, new byte[Schedule.PAYLOAD_BYTES_MAX]);
    advance(harness, Duration.ofSeconds(20));

    int ticks = TicksByHand.runDue(harness.queues());

    assertThat(ready()).isEqualTo(instants(1, 20));
    assertThat(ticks).isEqualTo(3);
  }
}
