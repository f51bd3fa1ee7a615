package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.RateLimit;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What an engine tells of keys, rate limits, turns of tenants and listeners. */
@InProcess("how much the engine reads or writes, whoever calls")
class FairnessMetricsTrapsTest extends TrapTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  private static final ClaimOptions BY = ClaimOptions.by("worker").max(10);

  private static EngineMetrics metrics(EngineHarness harness) {
    return harness.engine().metrics();
  }

  @Test
  void metrics_newEngine_hasNothingOfAllThat() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a", PLAIN.concurrencyKey("ada").unique("u"));
    claim(mail(harness)).complete().orThrow();

    EngineMetrics metrics = metrics(harness);

    assertThat(metrics.duplicateCount()).isZero();
    assertThat(metrics.rateBucketCount()).isZero();
    assertThat(metrics.rateLimitedQueueCount()).isZero();
    assertThat(metrics.tenantNameCount()).isZero();
    assertThat(metrics.tenantTurnCount()).isZero();
    assertThat(metrics.waitingEventCount()).isZero();
  }

  @ParameterizedTest
  @EachStoreKind
  void duplicates_ofCallsAndBetweenThem_areCountedOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    EnqueueOptions unique = PLAIN.unique("u");
    NewJob job = new NewJob(new byte[1], unique);

    mail(harness).enqueueAll(List.of(job, job, NewJob.of(new byte[1])));
    assertThat(metrics(harness).duplicateCount()).isEqualTo(1);
    enqueue(mail(harness), "again", unique);
    enqueue(harness.queues().queue("news"), "another queue", unique);

    assertThat(metrics(harness).duplicateCount()).isEqualTo(2);
  }

  @Test
  void duplicates_ofABatchThatNeverHappened_areNotCounted() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "first", PLAIN.unique("u"));
    harness.machine().room(Room.FOR_NONE);

    CompletableFuture<?> large =
        mail(harness)
            .enqueueAllAsync(
                List.of(
                    new NewJob(new byte[1], PLAIN.unique("u")),
                    new NewJob(new byte[10_000], PLAIN)));

    assertThat(large)
        .failsWithin(ofSeconds(20))
        .withThrowableThat()
        .withCauseInstanceOf(StoreFullException.class);
    assertThat(metrics(harness).duplicateCount()).isZero();
    harness.machine().room(Room.FOR_ALL);
  }

  @Test
  void rateLimits_bucketsAndQueuesWithoutToken_areCountedUntilTheTokensAreBack() {
    EngineHarness harness = start(StoreKind.MEMORY);
    RateLimit one = RateLimit.of(1, ofSeconds(10));
    mail(harness).configure(settings -> settings.rateLimit(one).rateLimitPerKey(one));
    enqueue(mail(harness), "a", PLAIN.concurrencyKey("ada"));
    enqueue(mail(harness), "b");

    claim(mail(harness)).complete().orThrow();
    assertThat(metrics(harness).rateBucketCount()).isEqualTo(2);
    assertThat(claim(mail(harness), 5)).isEmpty();
    assertThat(metrics(harness).rateLimitedQueueCount()).isEqualTo(1);
    advance(harness, ofSeconds(10));
    await("the token is back", () -> metrics(harness).rateLimitedQueueCount() == 0);
    advance(harness, ofSeconds(1));

    await("the buckets are full", () -> metrics(harness).rateBucketCount() == 0);
    claim(mail(harness)).complete().orThrow();
    assertThat(metrics(harness).rateBucketCount()).isEqualTo(1);
  }

  @Test
  void rateLimits_tokenOfAKeyAwaited_queueIsCountedUntilItsLimitIsTakenAway() {
    EngineHarness harness = start(StoreKind.MEMORY);
    RateLimit one = RateLimit.of(1, ofHours(1));
    mail(harness).configure(settings -> settings.rateLimitPerKey(one));
    enqueue(mail(harness), "a", PLAIN.concurrencyKey("ada"));
    enqueue(mail(harness), "b", PLAIN.concurrencyKey("ada"));
    claim(mail(harness)).complete().orThrow();
    CompletableFuture<List<Lease>> waits = mail(harness).claimAsync(BY.waiting(ofMinutes(30)));
    harness.poke();
    assertThat(metrics(harness).rateLimitedQueueCount()).isEqualTo(1);

    mail(harness).configure(settings -> settings.noRateLimitPerKey());

    assertThat(payloads(join(waits))).containsExactly("b");
    await("nobody waits", () -> metrics(harness).rateLimitedQueueCount() == 0);
    await("there are no buckets", () -> metrics(harness).rateBucketCount() == 0);
  }

  @Test
  void tenants_turns_areCountedWhileSomebodyClaimsAcrossThem() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            new Setup(
                Durability.SYNCED,
                ClaimsAnswer.BEFORE_COMMIT,
                LeasesAtOpen.RECLAIM,
                Setup.Loading.WHILE_USED));
    for (String tenant : List.of("a", "b", "c")) {
      JobQueue queue = harness.queues().queue("mail", tenant);
      queue.enqueueAll(List.of(NewJob.of(new byte[1]), NewJob.of(new byte[1])));
    }
    assertThat(metrics(harness).tenantTurnCount()).isZero();

    List<Lease> leases = harness.queues().claimAcrossTenants("mail", BY.max(1));
    assertThat(metrics(harness).tenantNameCount()).isEqualTo(1);
    assertThat(metrics(harness).tenantTurnCount()).isEqualTo(3);
    leases.addAll(harness.queues().claimAcrossTenants("mail", BY));
    assertThat(harness.queues().claimAcrossTenants("mail", BY)).isEmpty();
    assertThat(metrics(harness).tenantTurnCount()).isZero();
    leases.forEach(lease -> lease.complete().orThrow());
    advance(harness, ofSeconds(3));

    await("the ring is gone", () -> metrics(harness).tenantNameCount() == 0);
    assertThat(metrics(harness).tenantTurnCount()).isZero();
  }

  @Test
  void tenants_batchThatNeverHappenedAndReopening_leaveTheCountExact() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue first = harness.queues().queue("mail", "a");
    enqueue(first, "a");
    assertThat(harness.queues().claimAcrossTenants("mail", BY.max(1))).hasSize(1);
    enqueue(first, "b");
    assertThat(metrics(harness).tenantTurnCount()).isEqualTo(1);
    harness.machine().room(Room.FOR_NONE);
    CompletableFuture<?> large =
        harness.queues().queue("mail", "b").enqueueAsync(new byte[10_000], PLAIN);
    assertThat(large).failsWithin(ofSeconds(20));
    await("the second is taken back", () -> metrics(harness).tenantTurnCount() == 1);
    harness.machine().room(Room.FOR_ALL);

    harness.crash();

    assertThat(metrics(harness).tenantNameCount()).isZero();
    assertThat(metrics(harness).tenantTurnCount()).isZero();
    assertThat(harness.queues().claimAcrossTenants("mail", BY)).isNotEmpty();
  }

  @Test
  void listeners_eventsThatWait_areCountedUntilTheyAreTold() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    CountDownLatch isTold = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    try (JobListening slow =
        harness
            .queues()
            .listen(
                event -> {
                  isTold.countDown();
                  await(mayGoOn);
                })) {
      enqueue(mail(harness), "a");
      isTold.await();
      enqueue(mail(harness), "b");
      enqueue(mail(harness), "c");
      await("two events wait", () -> metrics(harness).waitingEventCount() == 2);

      mayGoOn.countDown();

      await("all are told", () -> metrics(harness).waitingEventCount() == 0);
      assertThat(slow.missedCount()).isZero();
      assertThat(metrics(harness).missedEventCount()).isZero();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
