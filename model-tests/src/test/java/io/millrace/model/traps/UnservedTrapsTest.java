package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.engine.noted.Noted;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues with ready jobs that nobody claims are told of, and no others. */
class UnservedTrapsTest extends TrapTest {

  private static final Setup UNLOADING =
      new Setup(
          Durability.SYNCED,
          ClaimsAnswer.BEFORE_COMMIT,
          LeasesAtOpen.RECLAIM,
          Setup.Loading.WHILE_USED);

  private EngineHarness harness;

  private void start(Setup setup) {
    harness = start(StoreKind.MEMORY, setup);
  }

  /** So that the engine does what comes due on the way, as it does when nobody moves its clock. */
  private void pass(Duration time) {
    for (int i = 0; i < time.toSeconds() / 10; i++) {
      advance(harness, ofSeconds(10));
      harness.awaitNothingDue();
    }
  }

  private List<String> warnings() {
    return harness.engine().health().warnings();
  }

  private static String told(String queues, String count) {
    return "jobs are ready and nobody claims them: queues="
        + queues
        + ", count="
        + count
        + "; run a worker that has handlers for their types, for all tenants perhaps";
  }

  private static String told(String queues) {
    return told(queues, "1") + ", or pause or delete the queues";
  }

  private JobQueue acme() {
    return harness.queues().queue("mail", "acme");
  }

  @Test
  void queue_nobodyClaims_isToldAfterAMinuteUntilSomebodyDoes() {
    start(Setup.DEFAULT);
    enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");

    pass(ofSeconds(60));
    assertThat(warnings()).isEmpty();
    pass(ofSeconds(10));
    assertThat(warnings()).containsExactly(told("[mail]"));
    pass(ofHours(1));
    assertThat(warnings()).containsExactly(told("[mail]"));

    Lease lease = mail(harness).claim("w", ofHours(1)).orElseThrow();
    assertThat(warnings()).isEmpty();
    pass(ofMinutes(3)); // somebody works on a job of it, however long
    assertThat(warnings()).isEmpty();
    lease.complete().orThrow();
    pass(ofSeconds(80));
    assertThat(warnings()).containsExactly(told("[mail]"));
  }

  @Test
  void tenant_othersOfItsNameAreClaimed_isToldUntilSomebodyClaimsAcrossThem() {
    start(Setup.DEFAULT);
    enqueue(acme(), "a");
    for (int i = 0; i < 8; i++) {
      enqueue(mail(harness), "b");
      claim(mail(harness)).complete().orThrow();
      pass(ofSeconds(10));
    }
    assertThat(warnings()).containsExactly(told("[mail@acme]"));

    harness.queues().claimAcrossTenants("mail", ClaimOptions.by("w")).get(0).complete().orThrow();

    assertThat(warnings()).isEmpty();
  }

  @Test
  void schedule_isDueAndNobodyMakesItsJobs_isTold() {
    start(Setup.DEFAULT);
    JobType<String> report = JobType.of("report", Codec.TEXT);
    Schedules schedules = Schedules.of(harness.queues());
    schedules.put(Schedule.every("hourly", ofHours(1)).enqueue(report, "r"));

    pass(ofMinutes(59));
    assertThat(warnings()).isEmpty();
    pass(ofMinutes(3));

    assertThat(warnings())
        .containsExactly(
            told("[millrace.schedules]", "1")
                + ", and one that makes the jobs of schedules, or pause or delete the queues");
    schedules.pause("hourly");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void queue_claimsComeThatTakeNothing_isNotTold() {
    start(Setup.DEFAULT);
    enqueue(mail(harness), "heavy", EnqueueOptions.DEFAULT.weight(5));

    for (int i = 0; i < 10; i++) {
      pass(ofSeconds(40));
      assertThat(mail(harness).claim(ClaimOptions.by("w").capacity(1))).isEmpty();
      assertThat(warnings()).isEmpty();
    }
  }

  @Test
  void queue_aClaimWaits_isNotToldUntilThatIsOver() {
    start(Setup.DEFAULT);
    enqueue(mail(harness), "heavy", EnqueueOptions.DEFAULT.weight(5));
    enqueue(acme(), "heavy", EnqueueOptions.DEFAULT.weight(5));
    ClaimOptions light = ClaimOptions.by("w").capacity(1);
    Dropped.result(mail(harness).claimAsync(light.waiting(ofMinutes(5))));
    Dropped.result(
        harness.queues().claimAcrossTenantsAsync(List.of("mail"), light.waiting(ofMinutes(10))));

    pass(ofMinutes(10).minusSeconds(10));
    assertThat(warnings()).isEmpty();
    pass(ofMinutes(2));

    assertThat(warnings()).singleElement().asString().startsWith(told("[mail, mail@acme]", "2"));
  }

  @Test
  void queues_haveNothingThatSomebodyCouldClaim_areNotTold() {
    start(Setup.DEFAULT);
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofHours(1)));
    JobQueue paused = harness.queues().queue("paused");
    enqueue(paused, "p");
    paused.pause();
    JobQueue keyed = harness.queues().queue("keyed");
    enqueue(keyed, "k", EnqueueOptions.DEFAULT.concurrencyKey("ada"));
    enqueue(keyed, "k", EnqueueOptions.DEFAULT.concurrencyKey("ada"));
    Lease held = keyed.claim("w", ofHours(2)).orElseThrow();
    JobQueue leased = harness.queues().queue("leased");
    enqueue(leased, "l");
    assertThat(harness.queues().leaseQueue(leased.name(), "w", ofHours(2)).isDone()).isTrue();

    pass(ofMinutes(30));

    assertThat(warnings()).isEmpty();
    held.release().orThrow();
    pass(ofSeconds(80));
    assertThat(warnings()).containsExactly(told("[keyed]"));
  }

  @Test
  void queue_jobsGoOrItIsPausedOrDeleted_isToldNoMore() {
    start(Setup.DEFAULT);
    JobQueue mail = mail(harness);
    List<Runnable> ends =
        List.of(() -> mail.purge(EnumSet.of(JobState.READY)), mail::pause, mail::delete);
    for (Runnable end : ends) {
      enqueue(mail, "a");
      pass(ofSeconds(80));
      assertThat(warnings()).containsExactly(told("[mail]"));
      end.run();
      pass(ofSeconds(10));
      assertThat(warnings()).isEmpty();
      mail.resume();
      mail.purge(EnumSet.of(JobState.READY));
    }
  }

  @Test
  void queues_notInMemory_areToldAlsoAfterAnotherOpening() {
    start(UNLOADING);
    enqueue(mail(harness), "a");
    enqueue(acme(), "a");
    pass(ofSeconds(80));
    String both = told("[mail, mail@acme]", "2");
    assertThat(warnings()).singleElement().asString().startsWith(both);

    harness.restartCleanly();
    assertThat(warnings()).isEmpty();
    pass(ofSeconds(60));
    assertThat(warnings()).isEmpty();
    pass(ofSeconds(20));
    assertThat(warnings()).singleElement().asString().startsWith(both);

    acme().pause();
    claim(mail(harness)).complete().orThrow();
    pass(ofSeconds(10));
    assertThat(warnings()).isEmpty();
  }

  @Test
  void queue_engineTookNothingMeanwhile_hasItsMinuteAfterThat() {
    start(Setup.DEFAULT);
    enqueue(mail(harness), "a");
    pass(ofSeconds(20));
    harness.store().breakNextWrite(new OutOfMemoryError("thrown by the test"));
    assertThatThrownBy(() -> enqueue(mail(harness), "b"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.clock().advanceMs(ofMinutes(5).toMillis());
    harness.recover();

    pass(ofSeconds(50));
    assertThat(warnings()).isEmpty();
    pass(ofSeconds(30));
    assertThat(warnings()).containsExactly(told("[mail]"));
  }

  @Test
  void queues_moreThanCanBeKnown_areToldAsSoMany() {
    start(UNLOADING);
    for (int i = 0; i < 1_100; i++) {
      enqueue(harness.queues().queue("mail", "t" + i), "a");
    }

    pass(ofSeconds(120));

    assertThat(warnings())
        .singleElement()
        .asString()
        .contains(
            "[mail@t0, mail@t1, mail@t2, mail@t3, mail@t4], and others, count=more than 1000;");
    ClaimOptions many = ClaimOptions.by("w").max(1_000);
    List<Lease> claimed = harness.queues().claimAcrossTenants("mail", many);
    assertThat(claimed).hasSizeGreaterThan(100);
    claimed.forEach(lease -> lease.complete().orThrow());
    pass(ofMinutes(4));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("count=" + (1_100 - claimed.size()) + ";");
  }

  /** Half an hour in which nothing happens; how many reads of the store that takes. */
  private long readsOfHalfAnHour() {
    harness.awaitNothingDue();
    long before = harness.store().readCount();
    for (int i = 0; i < 180; i++) {
      harness.clock().advanceMs(10_000);
      harness.awaitNothingDue();
    }
    return harness.store().readCount() - before;
  }

  @Test
  void walks_nothingHappens_endWithTheOneThatTells() {
    start(UNLOADING);
    enqueue(acme(), "a");

    assertThat(readsOfHalfAnHour()).isBetween(2L, 12L);
    assertThat(warnings()).containsExactly(told("[mail@acme]"));

    assertThat(readsOfHalfAnHour()).isZero();
  }

  @Test
  void walks_queuesAreServed_areNotMade() {
    start(Setup.DEFAULT);
    Noted served = Noted.of(harness.queues()).orElseThrow();
    Runnable end = served.serve(List.of(QueueName.of("news")), List.of("mail"));
    pass(ofSeconds(20)); // the first is made whatever there is

    enqueue(acme(), "a");
    enqueue(harness.queues().queue("news"), "n");
    assertThat(readsOfHalfAnHour()).isZero();

    end.run();
    pass(ofSeconds(80));
    assertThat(warnings()).singleElement().asString().startsWith(told("[mail@acme, news]", "2"));
  }
}
