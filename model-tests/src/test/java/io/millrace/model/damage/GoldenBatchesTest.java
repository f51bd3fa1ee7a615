package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
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
 * Batches of older versions go on in this one. That all of them are there, with their counts, is
 * compared by {@link GoldenStoreTest}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class GoldenBatchesTest extends GoldenTest {

  private static final List<QueueName> QUEUES =
      List.of(GoldenBatches.PARTS, GoldenBatches.ACME, GoldenBatches.AFTER);

  /** What is left when neither a job is nor a batch. */
  private static final Set<Keyspace> LEFT =
      EnumSet.of(
          Keyspace.META, Keyspace.QUEUE, Keyspace.QUEUE_NAME, Keyspace.COUNTERS, Keyspace.AGENDA);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int HOURS_OF_WORK = 4;

  static List<GoldenStore> stores() {
    return GoldenStore.of(Content.BATCHES).toList();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void rows_ofAnOlderVersion_areOfEveryKind(GoldenStore golden) throws IOException {
    GoldenReading reading = reading(golden);

    Set<String> kinds = new TreeSet<>();
    reading
        .rows(Keyspace.TABLE)
        .keySet()
        .forEach(
            key ->
                kinds.add(
                    TallyKeys.isKey(key.array())
                        ? "tally"
                        : TallyKeys.isDueKey(key.array()) ? "tally that is due" : "other"));

    assertThat(kinds).containsExactly("tally", "tally that is due");
  }

  private static BatchStats batch(JobEngine engine, String name) {
    return Page.stream(page -> engine.batches().list(page))
        .filter(stats -> stats.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void batches_ofAnOlderVersion_takeJobsGoOnAndAreOver(GoldenStore golden) throws IOException {
    GoldenReading reading = new GoldenReading(golden.unpack(store()), LeasesAtOpen.HONOUR);
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      BatchId open = batch(engine, "open").id();
      BatchStats died = batch(engine, "died");
      EnqueueOptions ofDied = EnqueueOptions.DEFAULT.batch(died.id());

      assertThat(engine.queue(GoldenBatches.PARTS).offer(new byte[1], ofDied))
          .isEqualTo(new EnqueueResult.BatchOver(GoldenBatches.PARTS, died.id()));
      assertThat(
              engine
                  .queue(GoldenBatches.ACME)
                  .offer(Labels.payload("today"), EnqueueOptions.DEFAULT.batch(open))
                  .isDone())
          .isTrue();
      assertThat(batch(engine, "open").left()).isEqualTo(4);
      Lease after = claimed(engine, GoldenBatches.AFTER, "died-done");
      assertThat(after.wake()).isEqualTo(new Wake.AfterBatch(died.id()));

      engine.queue(GoldenBatches.ACME).deadLetters().redriveAll(DeadFilter.ALL);
      assertThat(batch(engine, "died").isOver()).isFalse();
      Lease redriven = claimed(engine, GoldenBatches.ACME, "died-dead");
      assertThat(redriven.complete()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(batch(engine, "died").hasSucceeded()).isTrue();
      assertThat(job(engine, "died-all-large").state()).isEqualTo(JobState.READY);

      Lease leased = lease(engine, "leased", golden.stop() == Stop.KILLED);
      assertThat(leased.complete()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(batch(engine, "leased").hasSucceeded()).isTrue();
      assertThat(job(engine, "leased-all").state()).isEqualTo(JobState.READY);
      assertThat(engine.batches().await(died.id()).join().hasSucceeded()).isTrue();
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void work_storeOfAnOlderVersion_endsEveryBatchAndLeavesNoRow(GoldenStore golden)
      throws IOException {
    GoldenReading reading = reading(golden);

    List<String> worked = new ArrayList<>();
    try (JobEngine engine = reading.open()) {
      reading.clock().awaitSleeper();
      engine.batches().seal(batch(engine, "open").id());
      engine.signal(job(engine, "way-waits").id(), GoldenBatches.ASKED, new byte[1]).orThrow();
      for (QueueName queue : QUEUES) {
        engine.queue(queue).deadLetters().redriveAll(DeadFilter.ALL);
      }
      for (int hour = 0; hour < HOURS_OF_WORK; hour++) {
        worked.addAll(completeAll(engine, QUEUES));
        reading.clock().advanceMs(HOUR.toMillis());
        reading.clock().awaitSleeper();
      }
      reading.clock().advanceMs(Duration.ofDays(1).toMillis());
      reading.clock().awaitSleeper();
      assertThat(batch(engine, "way").expired()).isEqualTo(1);
      assertThat(batch(engine, "gone").purged()).isEqualTo(2);
      assertThat(batch(engine, "outer").hasSucceeded()).isTrue();
      worked.addAll(completeAll(engine, QUEUES));
      assertThat(Page.stream(page -> engine.batches().list(page))).allMatch(BatchStats::isOver);
      reading.clock().advanceMs(GoldenBatches.KEPT.toMillis());
      reading.clock().awaitSleeper();
      assertThat(Page.stream(page -> engine.batches().list(page))).isEmpty();
      assertThat(engine.verify().problems()).isEmpty();
    }

    List<String> unfinished = new ArrayList<>(golden.unfinished());
    unfinished.removeAll(List.of(GoldenBatches.NEVER, "way-expires"));
    assertThat(worked).containsExactlyInAnyOrderElementsOf(unfinished);
    assertNothingLeftBut(LEFT, reading);
    assertThat(reading.rows(Keyspace.QUEUE_NAME)).hasSize(QUEUES.size());
  }
}
