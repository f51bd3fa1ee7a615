package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.NewJob;
import io.millrace.api.UniqueKey;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Unique keys that are taken for a time: the clock alone frees them. */
class UniqueWithinTrapsTest extends UniqueTrapTest {

  @ParameterizedTest
  @EachStoreKind
  void within_outlivesItsJobAndEndsByTheClock(StoreKind kind) {
    EngineHarness harness = start(kind);
    Enqueued first = put(harness, "first", HOURLY);
    claim(mail(harness)).complete().orThrow();

    assertThat(harness.queues().get(first.jobId())).isEmpty();
    assertHeldBy(harness, first.jobId());
    assertThat(put(harness, "replacing", REPLACING)).isEqualTo(Enqueued.duplicateOf(first.jobId()));
    harness.restartCleanly();
    assertHeldBy(harness, first.jobId());
    harness.clock().advanceMs(ofHours(1).toMillis());
    harness.awaitNothingDue();
    assertThat(rowCount(harness, Keyspace.UNIQUE)).isZero();
    assertThat(timerCount(harness)).isZero();
    assertFree(harness);
  }

  /** More keys than one step of the sweeper frees, and a call that comes with the first step. */
  @Test
  void within_passed_isFreeThoughNobodyHasSweptItYet() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<NewJob> jobs =
        IntStream.range(0, 3_000)
            .mapToObj(i -> UniqueKey.of("key " + i).within(ofHours(1)))
            .map(key -> new NewJob(new byte[1], EnqueueOptions.DEFAULT.unique(key)))
            .toList();
    mail(harness).enqueueAll(jobs);
    harness.store().holdNextWrite();
    CompletableFuture<EnqueueResult> held =
        mail(harness).offerAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    harness.clock().advanceMs(ofHours(1).toMillis());
    CompletableFuture<List<Enqueued>> again = mail(harness).enqueueAllAsync(jobs);
    harness.store().letGo();

    join(held);
    List<Enqueued> second = join(again);

    assertThat(second).allMatch(result -> result.kind() == Enqueued.Kind.NEW);
    harness.awaitNothingDue();
    assertThat(rowCount(harness, Keyspace.UNIQUE)).isEqualTo(3_000);
    assertThat(timerCount(harness)).isEqualTo(3_000);
    assertThat(mail(harness).enqueueAll(jobs))
        .isEqualTo(second.stream().map(job -> Enqueued.duplicateOf(job.jobId())).toList());
    assertClean(harness);
  }

  @Test
  void within_cancelled_isHeldAllTheSame() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", HOURLY);

    harness.queues().cancel(first.jobId()).orThrow();

    assertHeldBy(harness, first.jobId());
  }

  @Test
  void within_replaced_isHeldFromTheNewEnqueueOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    put(harness, "first", HOURLY);
    advance(harness, ofMinutes(30));

    Enqueued second =
        put(harness, "second", EnqueueOptions.DEFAULT.unique(KEY.within(ofHours(1)).replace()));

    assertThat(second.kind()).isEqualTo(Enqueued.Kind.REPLACED);
    assertThat(timerCount(harness)).isEqualTo(1);
    advance(harness, ofMinutes(45));
    harness.awaitNothingDue();
    assertHeldBy(harness, second.jobId());
    advance(harness, ofMinutes(16));
    harness.awaitNothingDue();
    assertFree(harness);
  }

  @Test
  void within_queueEmptyForLong_staysUntilItsKeysAreFree() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock ->
                Setup.DEFAULT.options(clock).queueIdle(ofSeconds(2)).emptyQueueKept(ofMinutes(10)));
    Enqueued first = put(harness, "first", HOURLY);
    claim(mail(harness)).complete().orThrow();

    for (int i = 0; i < 5; i++) {
      harness.clock().advanceMs(ofMinutes(10).toMillis());
      harness.awaitNothingDue();
    }

    assertHeldBy(harness, first.jobId());
    for (int i = 0; i < 15; i++) {
      harness.clock().advanceMs(ofMinutes(10).toMillis());
      harness.awaitNothingDue();
    }
    assertThat(mail(harness).stats()).isEmpty();
    assertClean(harness);
  }
}
