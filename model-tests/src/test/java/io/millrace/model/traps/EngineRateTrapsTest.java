package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** More starts over all queues than a limit allows, or a token of it that nobody gets. */
class EngineRateTrapsTest extends TrapTest {

  private static final ClaimOptions BY = ClaimOptions.by("worker");
  private static final EnqueueOptions TEN_A_SECOND =
      EnqueueOptions.DEFAULT.engineRateLimit("relay", RateLimit.of(10, ofSeconds(1)));
  private static final EnqueueOptions DAILY =
      EnqueueOptions.DEFAULT.engineRateLimit("relay", RateLimit.of(1, ofDays(1)));
  private static final List<String> TENANTS = List.of("acme", "globex", "initech");

  private static JobQueue print(EngineHarness harness) {
    return harness.queues().queue("print");
  }

  private static void fill(JobQueue queue, int jobCount, EnqueueOptions options) {
    queue.enqueueAll(Collections.nCopies(jobCount, new NewJob(new byte[1], options)));
  }

  private static CompletableFuture<List<Lease>> waiting(JobQueue queue) {
    return queue.claimAsync(BY.waiting(ofMinutes(10)));
  }

  /** What three tenants of a mailer start in ten seconds, whoever claims. */
  @ParameterizedTest
  @EachStoreKind
  void tenants_ofOneKey_startAtItsRateTogether(StoreKind kind) {
    EngineHarness harness = start(kind);
    EnqueueOptions relay =
        EnqueueOptions.DEFAULT.engineRateLimit("relay", RateLimit.of(10, ofSeconds(1)).burst(5));
    for (String tenant : TENANTS) {
      fill(harness.queues().queue(new QueueName("mail", tenant)), 100, relay);
    }
    int started = 0;

    for (int i = 0; i < 40; i++) {
      for (String tenant : TENANTS) {
        started += claim(harness.queues().queue(new QueueName("mail", tenant)), 10).size();
      }
      started += harness.queues().claimAcrossTenants("mail", BY.max(10)).size();
      advance(harness, ofMillis(250));
    }

    assertThat(started).isEqualTo(5 + 97);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_noToken_passesOverForOthersAndKeepsTheOrder(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(print(harness), "p1", TEN_A_SECOND);
    for (int i = 1; i <= 3; i++) {
      enqueue(mail(harness), "m" + i, TEN_A_SECOND);
    }
    enqueue(
        mail(harness), "other", TEN_A_SECOND.engineRateLimit("host", RateLimit.of(1, ofDays(1))));
    enqueue(mail(harness), "free");

    assertThat(payloads(claim(print(harness), 10))).containsExactly("p1");
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("other", "free");
    assertThat(claim(mail(harness), 10)).isEmpty();
    advance(harness, ofMillis(100));
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("m1");
    advance(harness, ofMillis(100));
    enqueue(mail(harness), "m4", TEN_A_SECOND);
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("m2");
    assertClean(harness);
  }

  /** The start of a job of one queue takes the token that the next of another had. */
  @Test
  void claim_overQueues_takesNoMoreThanThereIs() {
    EngineHarness harness = start(StoreKind.MEMORY);
    fill(mail(harness), 5, TEN_A_SECOND);
    fill(print(harness), 5, TEN_A_SECOND);
    List<QueueName> both = List.of(QueueName.of("mail"), QueueName.of("print"));

    assertThat(harness.queues().claim(both, BY.max(10))).hasSize(1);
    advance(harness, ofMillis(100));
    assertThat(harness.queues().claim(both, BY.max(10))).hasSize(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void claimsThatWait_ofTwoQueues_areServedWithOneTokenEach(StoreKind kind) {
    EngineHarness harness = start(kind);
    fill(mail(harness), 2, TEN_A_SECOND);
    fill(print(harness), 1, TEN_A_SECOND);
    claim(mail(harness));
    CompletableFuture<List<Lease>> first = waiting(mail(harness));
    CompletableFuture<List<Lease>> second = waiting(print(harness));
    harness.poke();

    harness.clock().advanceMs(99);
    harness.awaitNothingDue();
    assertNotAnswered(harness, first);
    assertNotAnswered(harness, second);
    harness.clock().advanceMs(1);
    harness.awaitNothingDue();
    join(CompletableFuture.anyOf(first, second));
    assertThat(first.isDone() && second.isDone()).isFalse();
    harness.clock().advanceMs(100);

    assertThat(join(first)).hasSize(1);
    assertThat(join(second)).hasSize(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void release_givesTheTokenBackToWhoeverWaitsInWhateverQueue(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "m1", DAILY);
    enqueue(print(harness), "p1", DAILY);
    Lease lease = claim(mail(harness));
    assertThat(claim(print(harness), 5)).isEmpty();
    CompletableFuture<List<Lease>> claim = waiting(print(harness));
    assertNotAnswered(harness, claim);

    lease.release().orThrow();

    assertThat(payloads(join(claim))).containsExactly("p1");
    assertThat(claim(mail(harness), 5)).isEmpty();
  }

  /** Nobody waits: it is the next claim that finds the token. */
  @Test
  void release_jobsOfOtherQueuePutAside_areFound() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "m1", DAILY);
    enqueue(print(harness), "p1", DAILY);
    Lease lease = claim(mail(harness));
    assertThat(claim(print(harness), 5)).isEmpty();

    lease.release().orThrow();

    assertThat(payloads(claim(print(harness), 5))).containsExactly("p1");
  }

  @Test
  void failureAndSnooze_wereStarts() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "m1", DAILY);
    claim(mail(harness)).fail("broken", FailOptions.RETRY.delay(ofSeconds(0))).orThrow();

    assertThat(claim(mail(harness), 5)).isEmpty();
    advance(harness, ofDays(1));
    claim(mail(harness)).snooze(ofSeconds(0)).orThrow();
    assertThat(claim(mail(harness), 5)).isEmpty();
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("m1");
  }

  @ParameterizedTest
  @EachStoreKind
  void restart_allowsOneBurstMore(StoreKind kind) {
    EngineHarness harness = start(kind);
    EnqueueOptions two =
        EnqueueOptions.DEFAULT.engineRateLimit("relay", RateLimit.of(1, ofDays(1)).burst(2));
    fill(mail(harness), 3, two);
    fill(print(harness), 3, two);
    assertThat(claim(mail(harness), 5)).hasSize(2);
    assertThat(claim(print(harness), 5)).isEmpty();

    harness.restartCleanly();

    assertThat(claim(print(harness), 5)).hasSize(2);
    assertThat(claim(mail(harness), 5)).isEmpty();
    assertClean(harness);
  }

  @Test
  void queueUnloaded_orDeletedAndMadeAnew_getsNoBurstForIt() {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).queueIdle(ofSeconds(1)));
    fill(mail(harness), 2, DAILY);
    claim(mail(harness)).complete().orThrow();
    advance(harness, ofMinutes(2));
    harness.awaitNothingDue();
    assertThat(claim(mail(harness), 5)).isEmpty();

    mail(harness).delete();
    fill(mail(harness), 2, DAILY);

    assertThat(claim(mail(harness), 5)).isEmpty();
  }

  /** With a limit of each concurrency key a job waits for both, and takes both. */
  @Test
  void besideTheLimitOfAConcurrencyKey_bothHold() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness)
        .configure(settings -> settings.perKey(9).rateLimitPerKey(RateLimit.of(1, ofSeconds(1))));
    EnqueueOptions ada = TEN_A_SECOND.concurrencyKey("ada");
    fill(mail(harness), 3, ada);
    enqueue(mail(harness), "bob", TEN_A_SECOND.concurrencyKey("bob"));
    enqueue(mail(harness), "ada alone", EnqueueOptions.DEFAULT.concurrencyKey("ada"));

    assertThat(claim(mail(harness), 9)).hasSize(1);
    advance(harness, ofMillis(100));
    assertThat(payloads(claim(mail(harness), 9))).containsExactly("bob");
    advance(harness, ofMillis(899));
    assertThat(claim(mail(harness), 9)).isEmpty();
    advance(harness, ofMillis(1));
    assertThat(claim(mail(harness), 9)).hasSize(1);
    advance(harness, ofMillis(1_000));
    assertThat(claim(mail(harness), 9)).hasSize(1);
    assertClean(harness);
  }

  /** A later limit holds for what is enqueued from then on; each counts the starts of both. */
  @Test
  void jobsOfOneKey_withDifferentLimits_eachWaitsByItsOwn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions slow =
        EnqueueOptions.DEFAULT.engineRateLimit("relay", RateLimit.of(1, ofSeconds(1)));
    enqueue(mail(harness), "slow", slow);
    enqueue(print(harness), "fast 1", TEN_A_SECOND);
    enqueue(print(harness), "fast 2", TEN_A_SECOND);
    enqueue(mail(harness), "slow 2", slow);

    assertThat(payloads(claim(mail(harness), 5))).containsExactly("slow");
    advance(harness, ofMillis(999));
    assertThat(claim(print(harness), 5)).isEmpty();
    advance(harness, ofMillis(1));
    assertThat(payloads(claim(print(harness), 5))).containsExactly("fast 1");
    assertThat(claim(mail(harness), 5)).isEmpty();
    advance(harness, ofMillis(100));
    assertThat(payloads(claim(mail(harness), 5))).containsExactly("slow 2");
    assertThat(claim(print(harness), 5)).isEmpty();
  }

  /** Another limit of the key holds by then: what the start took comes back all the same. */
  @Test
  void release_afterAStartByAnotherLimit_givesAllBackThatItTook() {
    EngineHarness harness = start(StoreKind.MEMORY);
    RateLimit burst = RateLimit.of(10, ofSeconds(1)).burst(1_000_000);
    enqueue(mail(harness), "daily", DAILY);
    enqueue(print(harness), "burst", DAILY.engineRateLimit("relay", burst));
    Lease daily = claim(mail(harness));
    claim(print(harness));

    daily.release().orThrow();

    assertThat(claim(mail(harness), 5)).isEmpty();
    advance(harness, ofMillis(100));
    assertThat(payloads(claim(mail(harness), 5))).containsExactly("daily");
  }

  /** A heavy job for which claims were held up has no token any more: it holds up nobody. */
  @Test
  void heavyJobInFront_otherQueueTakesItsToken_lighterOnesAreServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "heavy", DAILY.weight(5));
    fill(mail(harness), 100, EnqueueOptions.DEFAULT);
    ClaimOptions light = BY.capacity(5).maxWeight(1);
    for (int i = 0; i < ClaimOptions.PASSES_MAX; i++) {
      assertThat(mail(harness).claim(light)).hasSize(1);
    }
    CompletableFuture<List<Lease>> claim = mail(harness).claimAsync(light.waiting(ofMinutes(10)));
    harness.poke();
    assertNotAnswered(harness, claim);

    enqueue(print(harness), "p1", DAILY);
    claim(print(harness));

    assertThat(join(claim)).hasSize(1);
  }

  @Test
  void transaction_andRedrive_carryTheLimit() {
    EngineHarness harness = start(StoreKind.LMDB);
    JobId id =
        harness
            .queues()
            .transact(tx -> tx.enqueue(QueueName.of("mail"), new byte[1], DAILY))
            .orThrow();
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    harness.restartCleanly();
    mail(harness).deadLetters().redrive(id, Checkpointed.CLEAR).orThrow();
    enqueue(print(harness), "p1", DAILY);

    Job job = job(harness.queues(), id);
    assertThat(job.engineRateKey()).contains("relay");
    assertThat(job.engineRateLimit()).contains(RateLimit.of(1, ofDays(1)));
    assertThat(claim(mail(harness), 5)).hasSize(1);
    assertThat(claim(print(harness), 5)).isEmpty();
  }

  @Test
  void explain_noTokenOfTheKey_namesItAndTheTime() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "m1", TEN_A_SECOND);
    JobId id = enqueue(print(harness), "p1", TEN_A_SECOND);
    claim(mail(harness));

    Explanation told = harness.queues().explain(id).orElseThrow();

    assertThat(told.reasons().get(0)).isInstanceOf(Explanation.EngineRateLimited.class);
    assertThat(told.reasons().get(0).sentence())
        .startsWith(
            "as many jobs of its rate key, in all queues, were started as its rate limit allows:"
                + " the next may start at ");
    assertThat(told.earliest()).isPresent();
  }

  /** The time until then counts once, whoever looks. */
  @Test
  void explain_betweenTwoStarts_bringsNoTokenEarlier() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "m1", TEN_A_SECOND);
    JobId id = enqueue(print(harness), "p1", TEN_A_SECOND);
    claim(mail(harness));
    advance(harness, ofMillis(60));

    assertThat(harness.queues().explain(id)).isPresent();
    enqueue(mail(harness), "m2", TEN_A_SECOND);

    assertThat(claim(print(harness), 5)).isEmpty();
    advance(harness, ofMillis(40));
    assertThat(claim(print(harness), 5)).hasSize(1);
  }

  /** Each token is for whoever is next, and those who wait do not take it from each other. */
  @Test
  void manyQueues_oneKey_allAreServedAtItsRate() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      JobQueue queue = harness.queues().queue("queue " + i);
      fill(queue, 1, TEN_A_SECOND);
      claims.add(waiting(queue));
    }
    harness.poke();

    for (int i = 0; i < 20; i++) {
      harness.awaitNothingDue();
      int expected = i + 1;
      await(
          expected + " are served",
          () -> claims.stream().filter(CompletableFuture::isDone).count() == expected);
      harness.clock().advanceMs(100);
    }
  }

  @Test
  void badInput_isRefused() {
    assertThatThrownBy(
            () -> EnqueueOptions.DEFAULT.engineRateLimit("", RateLimit.of(1, ofSeconds(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "engineRateLimit's key has a length out of range: value=\"\", UTF-8 bytes=0, least=1,"
                + " most=255");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.engineRateLimit("relay", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("limit");
  }
}
