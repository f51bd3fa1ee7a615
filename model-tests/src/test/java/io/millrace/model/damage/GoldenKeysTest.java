package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.model.damage.GoldenStore.Content;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keys that jobs of older versions hold or wait for mean the same to this one. That all of it is
 * there, who holds and who is blocked, is compared by {@link GoldenStoreTest}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class GoldenKeysTest extends GoldenTest {

  private static final List<QueueName> QUEUES =
      List.of(
          GoldenKeys.MAIL,
          GoldenKeys.ACME,
          GoldenKeys.CALLS,
          GoldenKeys.LOGGED,
          GoldenKeys.SMS,
          GoldenKeys.WEB,
          GoldenKeys.LIMITED,
          GoldenKeys.SHARED);

  /** What is left when no job is. */
  private static final Set<Keyspace> LEFT =
      EnumSet.of(
          Keyspace.META,
          Keyspace.QUEUE,
          Keyspace.QUEUE_NAME,
          Keyspace.COUNTERS,
          Keyspace.AGENDA,
          Keyspace.TABLE);

  /** Until the last delayed job is visible, and each job of a key with a rate has its token. */
  private static final int ROUNDS_OF_WORK = 40;

  private static final Duration ROUND = Duration.ofMinutes(5);

  /** Longer than any unique key is held. */
  private static final Duration WINDOWS_OVER = Duration.ofDays(2);

  static List<GoldenStore> stores() {
    return GoldenStore.of(Content.KEYS).toList();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void rows_ofAnOlderVersion_areOfEveryKind(GoldenStore golden) throws IOException {
    GoldenReading reading = reading(golden);

    Set<String> kinds = new TreeSet<>();
    reading.rows(Keyspace.SLOT).keySet().forEach(key -> kinds.add(kindOfSlot(key.array())));
    reading
        .rows(Keyspace.BLOCKED)
        .keySet()
        .forEach(
            key -> kinds.add(BlockedKeys.isOfEngine(key.array()) ? "blocked by all" : "blocked"));
    reading
        .rows(Keyspace.UNIQUE)
        .forEach(
            (key, value) -> kinds.add("unique " + UniqueRecord.decode(key.array(), value).scope()));

    assertThat(kinds)
        .containsExactly(
            "blocked",
            "blocked by all",
            "slot",
            "slot log",
            "slot of the engine",
            "turn",
            "unique 1",
            "unique 2",
            "unique 3");
  }

  private static String kindOfSlot(byte[] key) {
    if (SlotKeys.isOfLog(key)) {
      return "slot log";
    }
    if (TurnKeys.isTurn(key)) {
      return "turn";
    }
    return SlotKeys.isOfEngine(key) ? "slot of the engine" : "slot";
  }

  @ParameterizedTest
  @MethodSource("stores")
  void uniqueKeys_ofAnOlderVersion_areHeldByTheirJobsAlone(GoldenStore golden) throws IOException {
    try (JobEngine engine = reading(golden).open()) {
      JobQueue mail = engine.queue(GoldenKeys.MAIL);

      for (String key : GoldenKeys.HELD) {
        JobId holder = duplicate(mail, key);
        assertThat(Labels.name(engine.get(holder).orElseThrow().payload())).isEqualTo(key);
      }
      assertThat(engine.get(duplicate(mail, GoldenKeys.HELD_BY_NOBODY))).isEmpty();
      for (String key : GoldenKeys.FREE) {
        assertThat(offer(mail, key).isDuplicate()).as(key).isFalse();
      }

      RedriveResult redriven = mail.deadLetters().redrive(job(engine, "dead").id());
      assertThat(redriven).isEqualTo(new RedriveResult.Duplicate(job(engine, "taker").id()));
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void leases_ofAnOlderVersion_areHonouredAndTheirSlotsGoOn(GoldenStore golden) throws IOException {
    GoldenReading reading = new GoldenReading(golden.unpack(store()), LeasesAtOpen.HONOUR);
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      boolean isHeld = golden.stop() == Stop.KILLED;

      duplicate(engine.queue(GoldenKeys.MAIL), "leased");
      for (String name : List.of("leased", "leased-started", "call-1", "host-1")) {
        end(engine, name, isHeld);
      }

      assertThat(offer(engine.queue(GoldenKeys.MAIL), "leased").isDuplicate()).isFalse();
      assertThat(job(engine, "call-4-large").state()).isEqualTo(JobState.READY);
      assertThat(job(engine, "call-3").state()).isEqualTo(JobState.BLOCKED);
      assertThat(job(engine, "host-4").state()).as("two others go on").isEqualTo(JobState.BLOCKED);
      end(engine, "host-2", false);
      assertThat(job(engine, "host-4").state()).isEqualTo(JobState.READY);
      assertThat(job(engine, "behind-gone").state()).isEqualTo(JobState.READY);
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  private static void end(JobEngine engine, String name, boolean isHeld) {
    assertThat(lease(engine, name, isHeld).complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @ParameterizedTest
  @MethodSource("stores")
  void work_storeOfAnOlderVersion_endsEveryJobAndLeavesNoRow(GoldenStore golden)
      throws IOException {
    GoldenReading reading = reading(golden);

    List<String> worked = new ArrayList<>();
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      assertThat(completeAll(engine, List.of(GoldenKeys.LIMITED)))
          .as("one of the key, for that is its rate")
          .containsExactly("limited-1", "limited-3");
      worked.addAll(List.of("limited-1", "limited-3"));
      for (int round = 0; round < ROUNDS_OF_WORK; round++) {
        worked.addAll(completeAll(engine, QUEUES));
        reading.clock().advanceMs(ROUND.toMillis());
        reading.clock().awaitSleeper();
      }
      for (QueueName queue : QUEUES) {
        engine.queue(queue).deadLetters().redriveAll(DeadFilter.ALL);
        worked.addAll(completeAll(engine, List.of(queue)));
      }
      reading.clock().advanceMs(WINDOWS_OVER.toMillis());
      reading.clock().awaitSleeper();
      assertThat(engine.verify().problems()).isEmpty();
    }

    assertThat(worked).containsExactlyInAnyOrderElementsOf(golden.unfinished());
    assertNothingLeftBut(LEFT, reading);
    assertThat(reading.rows(Keyspace.TABLE)).as("settings of a name").hasSize(1);
    assertThat(reading.rows(Keyspace.QUEUE_NAME)).hasSize(QUEUES.size());
  }

  private static JobId duplicate(JobQueue queue, String key) {
    Enqueued answer = offer(queue, key);
    assertThat(answer.isDuplicate()).as(key).isTrue();
    return answer.jobId();
  }

  private static Enqueued offer(JobQueue queue, String key) {
    return queue.enqueue(new byte[1], EnqueueOptions.DEFAULT.unique(key));
  }
}
