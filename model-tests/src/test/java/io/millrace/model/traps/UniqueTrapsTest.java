package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.UniqueKey;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Unique keys are taken by one job, also when callers race, and in one call of many. */
@Tag("calls")
class UniqueTrapsTest extends UniqueTrapTest {

  @ParameterizedTest
  @EachStoreKind
  void enqueue_keyHeld_answersWithTheHolderAndAddsNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    Enqueued first = put(harness, "first", UNIQUE);

    Enqueued second = put(harness, "second", UNIQUE);

    assertThat(first.kind()).isEqualTo(Enqueued.Kind.NEW);
    assertThat(second).isEqualTo(Enqueued.duplicateOf(first.jobId()));
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("first");
    assertThat(mail(harness).stats().orElseThrow().total(Total.ENQUEUED)).isEqualTo(1);
    assertThat(claim(mail(harness)).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertFree(harness);
  }

  @Test
  void enqueue_sameKeyInAnotherQueueOrTenant_isAnotherKey() {
    EngineHarness harness = start(StoreKind.MEMORY);
    put(harness, "first", UNIQUE);

    Enqueued ofQueue = harness.queues().queue("other").enqueue(new byte[1], UNIQUE);
    Enqueued ofTenant =
        harness.queues().queue(new QueueName("mail", "acme")).enqueue(new byte[1], UNIQUE);

    assertThat(List.of(ofQueue.kind(), ofTenant.kind())).containsOnly(Enqueued.Kind.NEW);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_racingInOneBatch_oneIsNewAndTheOthersAreItsDuplicates(StoreKind kind)
      throws InterruptedException {
    EngineHarness harness = start(kind);
    harness.store().holdNextWrite();
    List<CompletableFuture<EnqueueResult>> racing = new ArrayList<>();
    CompletableFuture<EnqueueResult> before =
        mail(harness).offerAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    for (int i = 0; i < 20; i++) {
      racing.add(mail(harness).offerAsync(("racing " + i).getBytes(UTF_8), UNIQUE));
    }
    harness.store().letGo();

    List<Enqueued> results = racing.stream().map(future -> join(future).orThrow()).toList();

    join(before);
    JobId winner = results.get(0).jobId();
    assertThat(results.get(0).kind()).isEqualTo(Enqueued.Kind.NEW);
    assertThat(results.subList(1, 20)).containsOnly(Enqueued.duplicateOf(winner));
    assertThat(mail(harness).stats().orElseThrow().total(Total.ENQUEUED)).isEqualTo(2);
    assertClean(harness);
  }

  @Test
  void enqueueAll_sameKeyTwice_secondIsTheDuplicateOfTheFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);

    List<Enqueued> results =
        mail(harness)
            .enqueueAll(
                List.of(
                    new NewJob("a".getBytes(UTF_8), UNIQUE),
                    new NewJob("plain".getBytes(UTF_8), EnqueueOptions.DEFAULT),
                    new NewJob("b".getBytes(UTF_8), UNIQUE)));

    assertThat(results.get(2)).isEqualTo(Enqueued.duplicateOf(results.get(0).jobId()));
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("a", "plain");
    assertClean(harness);
  }

  @Test
  void enqueueAll_replacingTwice_eachReplacesTheOneBeforeIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNIQUE);

    List<Enqueued> results =
        mail(harness)
            .enqueueAll(
                List.of(
                    new NewJob("a".getBytes(UTF_8), REPLACING),
                    new NewJob("x".repeat(5_000).getBytes(UTF_8), REPLACING.delay(ofHours(1))),
                    new NewJob("c".getBytes(UTF_8), REPLACING)));

    assertThat(results.get(0).replaced()).contains(first.jobId());
    assertThat(results.get(1).replaced()).contains(results.get(0).jobId());
    assertThat(results.get(2).replaced()).contains(results.get(1).jobId());
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("c");
    assertThat(mail(harness).stats().orElseThrow().total(Total.CANCELLED)).isEqualTo(3);
    assertThat(rowCount(harness, Keyspace.BLOB)).isZero();
    assertHeldBy(harness, results.get(2).jobId());
  }

  @Test
  void enqueueAll_tenThousandKeys_areReadTogether() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<NewJob> jobs =
        IntStream.range(0, 10_000)
            .mapToObj(i -> new NewJob(new byte[1], EnqueueOptions.DEFAULT.unique("key " + i)))
            .toList();

    List<Enqueued> first = mail(harness).enqueueAll(jobs);
    long readsBefore = harness.store().readCount();
    List<Enqueued> again = mail(harness).enqueueAll(jobs);
    assertThat(harness.store().readCount() - readsBefore).isLessThanOrEqualTo(2);

    assertThat(first).allMatch(result -> result.kind() == Enqueued.Kind.NEW);
    assertThat(again)
        .isEqualTo(first.stream().map(job -> Enqueued.duplicateOf(job.jobId())).toList());
    List<Enqueued> replaced =
        mail(harness)
            .enqueueAll(
                IntStream.range(0, 10_000)
                    .mapToObj(
                        i ->
                            new NewJob(
                                new byte[1],
                                EnqueueOptions.DEFAULT.unique(UniqueKey.of("key " + i).replace())))
                    .toList());
    assertThat(replaced).allMatch(result -> result.kind() == Enqueued.Kind.REPLACED);
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(10_000);
    assertClean(harness);
  }

  @Test
  void enqueue_queueFull_duplicateAndReplacementNeedNoRoom() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.depthMax(1));
    Enqueued first = put(harness, "first", UNIQUE);

    assertThat(put(harness, "again", UNIQUE)).isEqualTo(Enqueued.duplicateOf(first.jobId()));
    Enqueued replaced = put(harness, "replaced", REPLACING);
    EnqueueResult other = mail(harness).offer(new byte[1], EnqueueOptions.DEFAULT.unique("other"));

    assertThat(replaced.kind()).isEqualTo(Enqueued.Kind.REPLACED);
    assertThat(other).isInstanceOf(EnqueueResult.QueueFull.class);
    assertThat(rowCount(harness, Keyspace.UNIQUE)).isEqualTo(1);
    assertHeldBy(harness, replaced.jobId());
  }

  @Test
  void replace_holderLeased_isADuplicate() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNIQUE);
    Lease lease = claim(mail(harness));

    assertThat(put(harness, "second", REPLACING)).isEqualTo(Enqueued.duplicateOf(first.jobId()));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertFree(harness);
  }

  @Test
  void replace_newOneGoesToTheBackOfTheLine() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNIQUE);
    enqueue(mail(harness), "between");

    Enqueued second = put(harness, "second", REPLACING);

    assertThat(second.jobId()).isNotEqualTo(first.jobId());
    assertThat(harness.queues().get(first.jobId())).isEmpty();
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("between", "second");
    assertClean(harness);
  }

  @Test
  void duplicate_ofABufferedJob_isAsDurableAsWasAskedFor() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue buffered = mail(harness).with(Durability.BUFFERED);
    Enqueued first = buffered.enqueue("first".getBytes(UTF_8), UNIQUE);

    Enqueued second = put(harness, "second", UNIQUE);
    harness.losePower();

    assertThat(second).isEqualTo(Enqueued.duplicateOf(first.jobId()));
    assertThat(harness.queues().get(first.jobId())).isPresent();
    assertHeldBy(harness, first.jobId());
  }

  @Test
  void job_tellsItsKeyInEveryState() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued first = put(harness, "first", UNTIL_STARTED);
    enqueue(mail(harness), "plain");

    List<Lease> leases =
        mail(harness).claim(ClaimOptions.by("w").max(1).leaseDuration(Duration.ofMinutes(1)));

    assertThat(leases).hasSize(1);
    assertThat(job(harness.queues(), first.jobId()).uniqueKey()).contains(KEY.key());
    leases.get(0).fail("no", DEAD).orThrow();
    assertThat(job(harness.queues(), first.jobId()).uniqueKey()).contains(KEY.key());
    assertThat(
            harness
                .queues()
                .list(JobFilter.ALL.uniqueKey(KEY.key()), PageRequest.first(10))
                .items())
        .extracting(job -> job.id())
        .containsExactly(first.jobId());
  }
}
