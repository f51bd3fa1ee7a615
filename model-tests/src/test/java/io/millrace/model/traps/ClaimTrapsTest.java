package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * If a job is eligible the answer is never empty, whatever stands in front of it; and order is what
 * was promised.
 */
@Tag("calls")
class ClaimTrapsTest extends TrapTest {

  private static final int IN_FRONT = 3_000;

  @ParameterizedTest
  @EachStoreKind
  void claim_manyHeavyJobsInFront_findsTheLightOne(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    fill(mail, EnqueueOptions.DEFAULT.weight(100));
    enqueue(mail, "light");

    List<Lease> byCapacity = mail.claim(ClaimOptions.by("small").capacity(99));
    byCapacity.forEach(lease -> lease.release().orThrow());
    List<Lease> byFreeWeight = mail.claim(ClaimOptions.by("busy").maxWeight(99));

    assertThat(payloads(byCapacity)).containsExactly("light");
    assertThat(payloads(byFreeWeight)).containsExactly("light");
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_manyLeasedJobsInFront_findsTheReadyOne(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    fill(mail, EnqueueOptions.DEFAULT.priority(3));
    assertThat(claim(mail, IN_FRONT)).hasSize(IN_FRONT);
    enqueue(mail, "ready");

    assertThat(payload(claim(mail))).isEqualTo("ready");
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_manyDelayedJobsInFront_findsTheReadyOne(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    fill(mail, EnqueueOptions.DEFAULT.priority(3).delay(ofSeconds(60)));
    enqueue(mail, "ready");

    assertThat(payload(claim(mail))).isEqualTo("ready");
    advance(harness, ofSeconds(60));
    assertThat(claim(mail, 2 * IN_FRONT)).isNotEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_untilEmpty_neverAnswersEmptyBefore(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    fill(mail, EnqueueOptions.DEFAULT);
    int count = 0;
    while (count < IN_FRONT) {
      List<Lease> leases = claim(mail, 700);
      assertThat(leases).isNotEmpty();
      count += leases.size();
    }
    assertThat(count).isEqualTo(IN_FRONT);
    assertThat(claim(mail, 1)).isEmpty();
  }

  @Test
  void claim_heavyJobWhileLittleIsFree_isPassedOverSixteenTimesAndThenWaitedFor() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "heavy", EnqueueOptions.DEFAULT.weight(10));
    for (int i = 0; i < 40; i++) {
      enqueue(mail, "light");
    }
    ClaimOptions small = ClaimOptions.by("worker").maxWeight(9);
    for (int i = 0; i < ClaimOptions.PASSES_MAX; i++) {
      assertThat(payloads(mail.claim(small))).containsExactly("light");
    }

    assertThat(mail.claim(small)).isEmpty();
    assertThat(payloads(mail.claim(ClaimOptions.by("another").maxWeight(9))))
        .containsExactly("light");
    assertThat(payloads(mail.claim(ClaimOptions.by("worker").maxWeight(10))))
        .containsExactly("heavy");
    assertThat(payloads(mail.claim(small))).containsExactly("light");
  }

  @Test
  void claim_several_takesNoMoreThanTheFreeWeightTogether() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    for (int i = 0; i < 20; i++) {
      enqueue(mail, "a", EnqueueOptions.DEFAULT.weight(1 + i % 4));
    }
    for (int round = 0; round < 5; round++) {
      List<Lease> leases = mail.claim(ClaimOptions.by("worker-" + round).max(20).maxWeight(7));
      assertThat(leases.stream().mapToInt(Lease::weight).sum()).isBetween(1, 7);
    }
  }

  @Test
  void claim_jobHeavierThanTheWorkerCanEverTake_isNotWaitedFor() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "heavy", EnqueueOptions.DEFAULT.weight(10));
    for (int i = 0; i < 40; i++) {
      enqueue(mail, "light");
      assertThat(payloads(mail.claim(ClaimOptions.by("worker").capacity(9).maxWeight(9))))
          .containsExactly("light");
    }
    assertThat(mail.claim(ClaimOptions.by("worker").capacity(9).maxWeight(9))).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_prioritiesOverTheWholeRange_servesHigherFirst(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    int[] priorities = {-1, 0, 1, -128, 127, 64, -64, 126, -127};
    for (int priority : priorities) {
      enqueue(mail, "p" + priority, EnqueueOptions.DEFAULT.priority(priority));
    }

    List<Lease> leases = claim(mail, 20);

    assertThat(payloads(leases))
        .containsExactly("p127", "p126", "p64", "p1", "p0", "p-1", "p-64", "p-127", "p-128");
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_onePriority_servesInOrderWithRetriesAtTheBackAndReleasesInFront(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    EnqueueOptions options = EnqueueOptions.DEFAULT.backoff(Backoff.fixed(Duration.ZERO));
    for (String payload : List.of("a", "b", "c", "d")) {
      enqueue(mail, payload, options);
    }
    List<Lease> leases = claim(mail, 3);
    leases.get(0).fail("broken").orThrow();
    leases.get(2).release().orThrow();
    leases.get(1).release().orThrow();

    assertThat(payloads(claim(mail, 10))).containsExactly("b", "c", "d", "a");
  }

  @Test
  void claim_delayedJobOfHighPriorityComesDue_goesToTheBackOfItsPriority() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "delayed", EnqueueOptions.DEFAULT.priority(5).delay(ofSeconds(1)));
    enqueue(mail, "first", EnqueueOptions.DEFAULT.priority(5));
    Lease running = claim(mail);
    enqueue(mail, "second", EnqueueOptions.DEFAULT.priority(5));
    advance(harness, ofSeconds(1));

    assertThat(running.remaining()).isEqualTo(ofSeconds(29));
    assertThat(payloads(claim(mail, 10))).containsExactly("second", "delayed");
  }

  @Test
  void claim_severalQueues_servesByPriorityThenAgeAcrossThem() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobQueue print = harness.queues().queue("print", "tenant");
    enqueue(print, "1");
    enqueue(mail, "2");
    enqueue(print, "3", EnqueueOptions.DEFAULT.priority(1));
    enqueue(mail, "4");
    enqueue(print, "5");

    List<Lease> leases =
        harness
            .queues()
            .claim(
                List.of(mail.name(), print.name(), QueueName.of("nothing")),
                ClaimOptions.by("worker").max(10));

    assertThat(payloads(leases)).containsExactly("3", "1", "2", "4", "5");
    assertThat(leases.get(0).queue()).isEqualTo(print.name());
  }

  @Test
  void claim_queuePaused_answersNothingAndEnqueuesGoOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease running = claim(mail);
    mail.pause();
    enqueue(mail, "b");

    assertThat(claim(mail, 10)).isEmpty();
    running.complete().orThrow();
    mail.resume();
    assertThat(payload(claim(mail))).isEqualTo("b");
  }

  @Test
  void claim_waiting_isServedByWhateverMakesAJobReady() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    ClaimOptions waiting = ClaimOptions.by("worker").waiting(Duration.ofHours(2));

    CompletableFuture<List<Lease>> byEnqueue = mail.claimAsync(waiting);
    JobId id =
        enqueue(
            mail, "a", EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.fixed(ofSeconds(1))));
    Lease lease = join(byEnqueue).get(0);

    CompletableFuture<List<Lease>> byRelease = mail.claimAsync(waiting);
    lease.release().orThrow();
    lease = join(byRelease).get(0);

    CompletableFuture<List<Lease>> byDelay = mail.claimAsync(waiting);
    lease.snooze(Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(1)).orThrow();
    advance(harness, ofSeconds(1));
    lease = join(byDelay).get(0);

    CompletableFuture<List<Lease>> byExpiry = mail.claimAsync(waiting);
    advance(harness, ofSeconds(30));
    lease = join(byExpiry).get(0);
    assertThat(lease.attempt()).isEqualTo(2);

    CompletableFuture<List<Lease>> byRedrive = mail.claimAsync(waiting);
    lease.fail("broken").orThrow();
    mail.deadLetters().redrive(id).orThrow();
    lease = join(byRedrive).get(0);

    mail.pause();
    lease.release().orThrow();
    CompletableFuture<List<Lease>> byResume = mail.claimAsync(waiting);
    harness.poke();
    assertNotAnswered(harness, byResume);
    mail.resume();
    assertThat(join(byResume)).hasSize(1);
  }

  @Test
  void claim_waiting_isServedInTheCommitThatMakesItsJobReady() {
    EngineHarness harness =
        start(StoreKind.FAULTY, Setup.DEFAULT.withClaimsAnswer(ClaimsAnswer.AFTER_COMMIT));
    CompletableFuture<List<Lease>> claim =
        mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(5)));
    harness.poke();
    long before = harness.store().lastCommit();

    JobId id = enqueue(mail(harness), "a");
    assertThat(join(claim)).hasSize(1);
    pokeTwice(harness);

    assertThat(harness.store().lastCommit() - before).isEqualTo(1);
    harness.losePower();
    awaitJob(harness, id, JobState.READY, 1);
  }

  @Test
  void claim_leasedJobBetweenReadyOnesOfALineReadAnew_isNotServedAgain() {
    Setup unloading =
        new Setup(
            Durability.SYNCED,
            ClaimsAnswer.BEFORE_COMMIT,
            LeasesAtOpen.RECLAIM,
            Setup.Loading.WHILE_USED);
    EngineHarness harness = start(StoreKind.MEMORY, unloading);
    JobQueue mail = mail(harness);
    for (String payload : List.of("a", "b", "c")) {
      enqueue(mail, payload);
    }
    List<Lease> first = claim(mail, 2);
    first.get(0).release().orThrow();
    advance(harness, ofSeconds(3));
    harness.awaitNothingDue();

    List<Lease> then = claim(mail, 10);

    assertThat(payloads(then)).containsExactly("a", "c");
    assertThat(first.get(1).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void claim_waitingTooLong_answersEmpty() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<List<Lease>> claim =
        mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(5)));
    advance(harness, Duration.ofMillis(4_999));
    assertNotAnswered(harness, claim);

    advance(harness, Duration.ofMillis(1));

    assertThat(join(claim)).isEmpty();
  }

  @Test
  void claim_jobIsNotDurableYet_waitsForItsEnqueue() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    CompletableFuture<List<Lease>> claim =
        mail.claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(5)));
    harness.poke();
    harness.store().holdNextSync();
    CompletableFuture<?> enqueue = mail.enqueueAsync("a".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    assertNotAnswered(harness, claim);
    assertNotAnswered(harness, enqueue);

    harness.store().letGo();
    join(enqueue);
    assertThat(join(claim)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(ClaimsAnswer.class)
  void claim_callerGivesUpWhileItIsGranted_leavesNoLeaseBehind(ClaimsAnswer claimsAnswer)
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY, Setup.DEFAULT.withClaimsAnswer(claimsAnswer));
    JobQueue mail = mail(harness);
    CompletableFuture<List<Lease>> claim =
        mail.claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(5)));
    harness.poke();
    harness.store().holdNextWrite();
    CompletableFuture<?> first = mail.enqueueAsync("a".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    claim.cancel(true);
    harness.store().letGo();
    join(first);
    enqueue(mail, "b");

    List<Lease> leases = awaitLeases(mail, 2);
    assertThat(leases).extracting(Lease::attempt).containsExactly(1, 1);
    assertThat(payloads(leases)).containsExactly("a", "b");
  }

  @Test
  void claim_blockedCallerIsInterrupted_leavesPromptlyAndTakesNothing()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    List<Boolean> flags = new ArrayList<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                flags.add(mail.claim(ClaimOptions.by("worker").waiting(ofSeconds(500))).isEmpty());
              } catch (RuntimeException e) {
                flags.add(true);
              }
              flags.add(Thread.currentThread().isInterrupted());
            });
    caller.start();
    await(
        "the caller waits",
        () ->
            caller.getState() == Thread.State.WAITING
                || caller.getState() == Thread.State.TIMED_WAITING);

    caller.interrupt();
    caller.join(30_000);

    assertThat(caller.isAlive()).isFalse();
    assertThat(flags).as("took nothing, flag restored").containsExactly(true, true);
    JobId id = enqueue(mail, "a");
    Job job = job(harness.queues(), id);
    assertThat(job.attempts()).isZero();
    assertThat(claim(mail).attempt()).isEqualTo(1);
  }

  @Test
  void claim_sameQueueNamedTwice_servesEachJobOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    enqueue(mail, "b");

    List<Lease> leases =
        harness
            .queues()
            .claim(List.of(mail.name(), mail.name()), ClaimOptions.by("worker").max(10));

    assertThat(payloads(leases)).containsExactly("a", "b");
  }

  @Test
  void enqueue_depthLimit_countsWhatWaitsAndNotWhatRuns() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.depthMax(2));
    enqueue(mail, "a");
    claim(mail);
    enqueue(mail, "b");
    enqueue(mail, "c", EnqueueOptions.DEFAULT.delay(ofSeconds(5)));

    EnqueueResult refused = mail.offer("d".getBytes(UTF_8), EnqueueOptions.DEFAULT);

    assertThat(refused).isEqualTo(new EnqueueResult.QueueFull(mail.name(), 2));
    assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
  }

  private static List<Lease> awaitLeases(JobQueue queue, int count) {
    List<Lease> leases = new ArrayList<>();
    await(
        "the jobs are served",
        () ->
            leases.addAll(claim(queue, count)) && leases.size() == count || leases.size() == count);
    return leases;
  }

  private static void fill(JobQueue queue, EnqueueOptions options) {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < IN_FRONT; i++) {
      jobs.add(new NewJob(("filling " + i).getBytes(UTF_8), options));
    }
    queue.enqueueAll(jobs);
  }
}
