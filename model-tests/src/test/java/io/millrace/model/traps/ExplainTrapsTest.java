package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Delay;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Each reason why a job is not running, in the words that people read. */
class ExplainTrapsTest extends TrapTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  private static final EnqueueOptions FIXED = PLAIN.backoff(Backoff.fixed(ofMinutes(3)));
  private static final EnqueueOptions ADA = PLAIN.concurrencyKey("ada");
  private static final String NOBODY =
      "no claim waits for jobs of its queue; none is known of lately";

  static Explanation explain(EngineHarness harness, JobId id) {
    return harness.queues().explain(id).orElseThrow();
  }

  static List<String> sentences(EngineHarness harness, JobId id) {
    return explain(harness, id).reasons().stream().map(Reason::sentence).toList();
  }

  private static Instant now(EngineHarness harness) {
    return Instant.ofEpochMilli(harness.clock().epochMs());
  }

  private static void park(EngineHarness harness, ClaimOptions options) {
    Dropped.result(
        harness.queues().claimAsync(List.of(QueueName.of("mail")), options.waiting(ofHours(1))));
  }

  @Test
  void ready_nobodyHasClaimed_saysSo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");

    Explanation told = explain(harness, id);

    assertThat(told)
        .isEqualTo(
            new Explanation(
                id,
                QueueName.of("mail"),
                JobState.READY,
                List.of(new Explanation.NoClaims(Optional.empty(), NOBODY)),
                Optional.empty()));
    assertThat(told.reasons().get(0).kind()).isEqualTo("NoClaims");
  }

  @Test
  void ready_nobodyClaimsAnyMore_saysWhenSomebodyLastDid() {
    EngineHarness harness = start(StoreKind.MEMORY);
    assertThat(claim(mail(harness), 1)).isEmpty();
    Instant claimed = now(harness);
    JobId id = enqueue(mail(harness), "a");
    advance(harness, ofSeconds(65));

    assertThat(explain(harness, id).reasons())
        .containsExactly(
            new Explanation.NoClaims(
                Optional.of(claimed),
                "no claim waits for jobs of its queue; the last one was made at"
                    + " 2023-11-14T22:13:20Z (1 min 5 s ago)"));
  }

  @ParameterizedTest
  @EachStoreKind
  void leased_leaseIsNotStoredYet_runsAndIsNotInLine(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId first = enqueue(mail(harness), "a");
    JobId second = enqueue(mail(harness), "b");
    JobId urgent = enqueue(mail(harness), "c", PLAIN.priority(1));
    JobId last = enqueue(mail(harness), "d");
    claim(mail(harness), 2);

    assertThat(harness.queues().get(urgent).orElseThrow().state()).isEqualTo(JobState.READY);
    assertThat(explain(harness, urgent).state()).isEqualTo(JobState.LEASED);
    assertThat(sentences(harness, first))
        .containsExactly(
            "is run by worker since 2023-11-14T22:13:20Z (for 0 ms), attempt 1 of 20; its lease"
                + " ends at 2023-11-14T22:13:50Z (in 30 s) unless it is extended");
    assertThat(sentences(harness, second)).hasSize(1).first().asString().startsWith("no claim");
    assertThat(sentences(harness, last))
        .hasSize(2)
        .first()
        .isEqualTo("is in line: 1 job is before it");
  }

  @Test
  void leased_cancelWasAskedFor_saysSo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    harness.queues().cancel(id).orThrow();
    advance(harness, ofSeconds(12));

    assertThat(explain(harness, id).reasons())
        .containsExactly(
            new Explanation.Running(
                "worker",
                now(harness).minusSeconds(12),
                Optional.of(now(harness).plusSeconds(18)),
                true,
                "is run by worker since 2023-11-14T22:13:20Z (for 12 s), attempt 1 of 20; its"
                    + " lease ends at 2023-11-14T22:13:50Z (in 18 s) unless it is extended; its"
                    + " worker was asked to let go of it"));
  }

  @Test
  void delayed_ofAnyCause_saysUntilWhenAndWhy() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId failed = enqueue(mail, "failed", FIXED);
    claim(mail)
        .fail("java.io.IOException:\trefused \u001b[31m\n\tat Mail.send(Mail.java:7)")
        .orThrow();
    JobId snoozed = enqueue(mail, "snoozed");
    claim(mail).snooze(ofSeconds(90)).orThrow();
    JobId asked = enqueue(mail, "asked", PLAIN.delay(ofHours(50)));
    Instant due = now(harness).plusSeconds(180);

    assertThat(explain(harness, failed))
        .isEqualTo(
            new Explanation(
                failed,
                QueueName.of("mail"),
                JobState.DELAYED,
                List.of(
                    new Explanation.Delayed(
                        due,
                        Delay.BACKOFF,
                        Optional.of("java.io.IOException: refused  [31m"),
                        "waits until 2023-11-14T22:16:20Z (in 3 min): attempt 1 of 20 failed of"
                            + " java.io.IOException: refused  [31m")),
                Optional.of(due)));
    assertThat(sentences(harness, snoozed))
        .containsExactly("waits until 2023-11-14T22:14:50Z (in 1 min 30 s): its worker snoozed it");
    assertThat(sentences(harness, asked))
        .containsExactly(
            "waits until 2023-11-17T00:13:20Z (in 2 d 2 h): it was enqueued or rescheduled so");
    harness.queues().reschedule(failed, due.plusSeconds(1)).orThrow();
    assertThat(sentences(harness, failed))
        .containsExactly(
            "waits until 2023-11-14T22:16:21Z (in 3 min 1 s): it was rescheduled so; before,"
                + " attempt 1 of 20 failed of java.io.IOException: refused  [31m");
    harness.queues().reschedule(snoozed, due).orThrow();
    assertThat(sentences(harness, snoozed))
        .containsExactly(
            "waits until 2023-11-14T22:16:20Z (in 3 min): it was snoozed or rescheduled so");
  }

  @Test
  void delayed_leaseRanOutAndBacksOff_saysOfWhatTheAttemptFailed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness)
        .configure(settings -> settings.expiry(io.millrace.api.QueueSettings.Expiry.BACKOFF));
    JobId id = enqueue(mail(harness), "a", FIXED);
    claim(mail(harness));
    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.DELAYED, 1);

    assertThat(sentences(harness, id))
        .containsExactly(
            "waits until 2023-11-14T22:16:50.001Z (in 3 min): attempt 1 of 20 failed of lease"
                + " expired: worker=worker, attempt=1");
  }

  @Test
  void delayed_redrivenAndRescheduled_isNoRetry() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    mail(harness).deadLetters().redrive(id).orThrow();
    harness.queues().reschedule(id, now(harness).plusSeconds(5)).orThrow();

    assertThat(sentences(harness, id))
        .containsExactly(
            "waits until 2023-11-14T22:13:25Z (in 5 s): it was enqueued or rescheduled so");
  }

  @Test
  void ended_deadOrDoneOrGone_saysHow() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.deadRetention(ofHours(1)));
    JobId dead = enqueue(mail, "dead", PLAIN.maxAttempts(1));
    claim(mail).fail("broken").orThrow();
    JobId done = enqueue(mail, "done", PLAIN.resultRetention(ofHours(2)));
    claim(mail).complete("result".getBytes(java.nio.charset.StandardCharsets.UTF_8)).orThrow();
    JobId gone = enqueue(mail, "gone");
    claim(mail).complete().orThrow();
    Instant ended = now(harness);
    advance(harness, ofSeconds(10));

    assertThat(explain(harness, dead).reasons())
        .containsExactly(
            new Explanation.Dead(
                ended,
                1,
                Optional.of("broken"),
                "has been dead since 2023-11-14T22:13:20Z (10 s): attempt 1 of 1 failed of broken;"
                    + " it is removed at 2023-11-14T23:13:20Z (in 59 min 50 s)"));
    assertThat(explain(harness, done).reasons())
        .containsExactly(
            new Explanation.Done(
                ended,
                Optional.of(ended.plusSeconds(7200)),
                "was completed at 2023-11-14T22:13:20Z (10 s ago); its result is kept until"
                    + " 2023-11-15T00:13:20Z (in 1 h 59 min)"));
    assertThat(harness.queues().explain(gone)).isEmpty();
    assertThat(harness.queues().explain(new JobId(-1, -1))).isEmpty();
  }

  @Test
  void ready_pausedAndLeasedQueue_bothAreToldAndTheLastingOneFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    JobId delayed = enqueue(mail(harness), "b", PLAIN.delay(ofSeconds(3)));
    mail(harness).pause();
    harness.queues().leaseQueue(QueueName.of("mail"), "owner", ofSeconds(5)).orThrow();
    String leased =
        "its queue is leased as a whole by owner until 2023-11-14T22:13:25Z (in 5 s): only claims"
            + " through that lease are served";

    assertThat(sentences(harness, id)).containsExactly("its queue is paused", leased);
    assertThat(explain(harness, delayed).reasons())
        .extracting(Reason::kind)
        .containsExactly("Paused", "QueueLeased", "Delayed");
    harness.queues().admin().endQueueLease(QueueName.of("mail"));
    mail(harness).resume();
    assertThat(sentences(harness, id)).containsExactly(NOBODY);
  }

  @ParameterizedTest
  @EachStoreKind
  void blocked_keyIsTaken_namesWhoHasItAndThePlaceInItsLine(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.perKey(2));
    for (String other : List.of("x", "y", "z")) {
      enqueue(mail, other, PLAIN.concurrencyKey("al"));
    }
    JobId runs = enqueue(mail, "a", ADA);
    JobId ready = enqueue(mail, "b", ADA);
    JobId next = enqueue(mail, "c", ADA);
    JobId urgent = enqueue(mail, "d", ADA.priority(1));
    claim(mail, 3);
    String held =
        "is blocked by its concurrency key \"ada\": 2 jobs of it are ready or running ("
            + "%s runs, %s is ready), as many as may be; ".formatted(runs, ready);

    assertThat(explain(harness, urgent).state()).isEqualTo(JobState.BLOCKED);
    assertThat(sentences(harness, urgent)).containsExactly(held + "it is the next of the key");
    assertThat(sentences(harness, next)).containsExactly(held + "1 job of the key is before it");
    harness.storeLeases();
    assertThat(sentences(harness, urgent)).containsExactly(held + "it is the next of the key");
    mail.configure(settings -> settings.perKey(1));
    assertThat(((Explanation.KeyTaken) explain(harness, next).reasons().get(0)).limit())
        .isEqualTo(1);
  }

  @Test
  void ready_noToken_saysWhenTheNextComes() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    RateLimit one = RateLimit.of(1, ofSeconds(10));
    mail.configure(settings -> settings.rateLimit(one).rateLimitPerKey(one));
    enqueue(mail, "a", PLAIN);
    JobId limited = enqueue(mail, "b", PLAIN);
    claim(mail, 1);
    park(harness, ClaimOptions.by("waits"));

    Explanation told = explain(harness, limited);

    assertThat(told.reasons())
        .containsExactly(
            new Explanation.RateLimited(
                now(harness).plusSeconds(10),
                false,
                "as many jobs of its queue were started as its rate limit allows: the next may"
                    + " start at 2023-11-14T22:13:30Z (in 10 s)"));
    assertThat(told.earliest()).contains(now(harness).plusSeconds(10));
    mail.configure(settings -> settings.noRateLimit().perKey(2));
    enqueue(mail, "c", ADA);
    assertThat(claim(mail, 1)).hasSize(1);
    JobId ofKey = enqueue(mail, "d", ADA);
    assertThat(sentences(harness, ofKey))
        .contains(
            "as many jobs of its concurrency key were started as its rate limit allows: the next"
                + " may start at 2023-11-14T22:13:30Z (in 10 s)");
  }

  @Test
  void ready_heavierThanWhatWaits_saysForWhich() {
    EngineHarness harness = start(StoreKind.MEMORY);
    park(harness, ClaimOptions.by("small").capacity(3));
    JobId heavy = enqueue(mail(harness), "a", PLAIN.weight(5));

    assertThat(explain(harness, heavy).reasons())
        .containsExactly(
            new Explanation.TooHeavy(
                5, 3, 0, "weighs 5, and no worker that waits takes more than 3"));
    park(harness, ClaimOptions.by("busy").capacity(9).maxWeight(4));
    assertThat(explain(harness, heavy).reasons())
        .containsExactly(
            new Explanation.TooHeavy(
                5, 9, 4, "weighs 5, and no worker that waits has more than 4 free"));
  }

  @Test
  void ready_asManyLeasesAsMayBe_saysSo() {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).leaseCountMax(1));
    enqueue(mail(harness), "a");
    claim(mail(harness));
    JobId id = enqueue(mail(harness), "b");
    park(harness, ClaimOptions.by("worker"));

    assertThat(sentences(harness, id))
        .containsExactly("its engine holds as many leases as it may: 1");
  }

  @Test
  void unstarted_timeToLiveEnds_saysWhenAndWhetherItCanRunBefore() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions live = PLAIN.timeToLive(ofSeconds(10));
    JobId ready = enqueue(mail(harness), "a", live);
    JobId delayed = enqueue(mail(harness), "b", live.delay(ofSeconds(9)));
    JobId never = enqueue(mail(harness), "c", live.delay(ofSeconds(11)));

    assertThat(sentences(harness, ready))
        .containsExactly(
            NOBODY,
            "is removed at 2023-11-14T22:13:30Z (in 10 s) unless it is started before: its time to"
                + " live ends");
    assertThat(explain(harness, delayed).earliest()).contains(now(harness).plusSeconds(9));
    assertThat(explain(harness, never).earliest()).isEmpty();
    assertThat(sentences(harness, never))
        .containsExactly(
            "will not run: its time to live ends at 2023-11-14T22:13:30Z (in 10 s), before its"
                + " wait does",
            "waits until 2023-11-14T22:13:31Z (in 11 s): it was enqueued or rescheduled so");
  }

  @ParameterizedTest
  @EachStoreKind
  void ready_farBackInALongLine_isCountedToAThousandAndCostsNoMore(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    for (int i = 0; i < 10; i++) {
      mail.enqueueAll(Collections.nCopies(10_000, NewJob.of(new byte[10])));
    }
    enqueue(mail, "urgent", PLAIN.priority(5));
    JobId last = enqueue(mail, "last");
    JobId behind = enqueue(mail, "behind", PLAIN.priority(4));
    harness.awaitNothingDue();
    long before = harness.store().rowsVisited();

    Explanation told = explain(harness, last);

    assertThat(told.reasons().get(0))
        .isEqualTo(
            new Explanation.Behind(
                new Explanation.Ahead(1_002, false),
                "is in line: at least 1,002 jobs are before it"));
    assertThat(harness.store().rowsVisited() - before).isLessThanOrEqualTo(2_100);
    assertThat(sentences(harness, behind)).first().isEqualTo("is in line: 1 job is before it");
  }

  @Test
  void blocked_farBackInTheLineOfItsKey_isCountedToAThousandAndCostsNoMore() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.enqueueAll(Collections.nCopies(10_000, NewJob.of(new byte[10])));
    JobId holder = enqueue(mail, "holder", ADA);
    mail.enqueueAll(Collections.nCopies(10_000, new NewJob(new byte[10], ADA)));
    JobId last = enqueue(mail, "last", ADA);
    harness.awaitNothingDue();
    long before = harness.store().rowsVisited();

    Explanation told = explain(harness, last);

    assertThat(told.reasons())
        .containsExactly(
            new Explanation.KeyTaken(
                "ada",
                false,
                1,
                1,
                List.of(),
                new Explanation.Ahead(1_000, false),
                "is blocked by its concurrency key \"ada\": 1 job of it is ready or running, as"
                    + " many as may be; at least 1,000 jobs of the key are before it"));
    assertThat(harness.store().rowsVisited() - before).isLessThanOrEqualTo(3_100);
    assertThat(explain(harness, holder).state()).isEqualTo(JobState.READY);
  }

  @Test
  void inspection_ofAStoreWithoutEngine_saysWhatTheStoreKnows() {
    EngineHarness harness = start(StoreKind.LMDB);
    JobId ready = enqueue(mail(harness), "a");
    JobId running = enqueue(mail(harness), "b", PLAIN.priority(1));
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    harness.store().cut();
    assertThatThrownBy(harness.engine()::close).isInstanceOf(RuntimeException.class);

    try (var reader = JobEngine.inspect("lmdb:" + folder.resolve("store"))) {
      assertThat(reader.explain(ready).orElseThrow().reasons())
          .extracting(Reason::sentence)
          .containsExactly(
              "its store is looked at without an engine: who claims, and who holds leases that are"
                  + " not stored yet, is not told");
      assertThat(reader.explain(running).orElseThrow().reasons())
          .extracting(Reason::kind)
          .containsExactly("Running", "NoEngine");
    }
    assertThat(lease.jobId()).isEqualTo(running);
    harness.openAgain();
  }
}
