package io.millrace.model.traps;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.QueueSettings.Setting;
import io.millrace.api.UniqueKey;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job of a strict key that waits is passed by the next one, or holds its key for ever. */
class StrictKeyTrapsTest extends TrapTest {

  private static final EnqueueOptions ADA =
      EnqueueOptions.DEFAULT.concurrencyKey("ada").backoff(Backoff.fixed(ofSeconds(10)));

  /** The jobs a, b and c of one key, in this order. */
  private record Three(EngineHarness harness, JobId a, JobId b, JobId c) {

    JobQueue mail() {
      return TrapTest.mail(harness);
    }

    /** The first is claimed and fails: it waits for ten seconds. */
    Three failing() {
      claim(mail()).fail("broken").orThrow();
      assertStates(List.of(), List.of("a"), List.of("b", "c"));
      return this;
    }

    void assertStates(List<String> ready, List<String> delayed, List<String> blocked) {
      assertThat(peek(mail(), JobState.READY)).isEqualTo(ready);
      assertThat(peek(mail(), JobState.DELAYED)).isEqualTo(delayed);
      assertThat(peek(mail(), JobState.BLOCKED)).isEqualTo(blocked);
      assertClean(harness);
    }

    /** All that is left is served, one after the other. */
    void assertServed(String... payloads) {
      for (String payload : payloads) {
        List<Lease> leases = claim(mail(), 10);
        assertThat(payloads(leases)).containsExactly(payload);
        leases.get(0).complete().orThrow();
      }
      assertThat(claim(mail(), 10)).isEmpty();
      assertClean(harness);
    }
  }

  private Three three(StoreKind kind) {
    return three(start(kind));
  }

  private static Three three(EngineHarness harness) {
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.keyOrder(KeyOrder.STRICT));
    return new Three(
        harness, enqueue(mail, "a", ADA), enqueue(mail, "b", ADA), enqueue(mail, "c", ADA));
  }

  @ParameterizedTest
  @EachStoreKind
  void fail_attemptsLeft_noOtherOfTheKeyIsServedBeforeItIsDone(StoreKind kind) {
    Three three = three(kind).failing();
    assertThat(claim(three.mail(), 10)).isEmpty();
    enqueue(three.mail(), "bob", EnqueueOptions.DEFAULT.concurrencyKey("bob"));
    assertThat(payloads(claim(three.mail(), 10))).containsExactly("bob");

    advance(three.harness, ofMillis(9_999));
    assertThat(claim(three.mail(), 10)).isEmpty();
    advance(three.harness, ofMillis(1));

    three.assertStates(List.of("a"), List.of(), List.of("b", "c"));
    three.assertServed("a", "b", "c");
  }

  @Test
  void fail_noBackoff_isTheNextAgain() {
    Three three = three(StoreKind.MEMORY);

    claim(three.mail()).fail("broken", FailOptions.RETRY.delay(ofSeconds(0))).orThrow();

    three.assertServed("a", "b", "c");
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_headWaits_keepsItsSlot(StoreKind kind) {
    Three three = three(kind).failing();
    advance(three.harness, ofMillis(1));

    three.harness.crash();

    three.assertStates(List.of(), List.of("a"), List.of("b", "c"));
    advance(three.harness, ofSeconds(10));
    three.assertServed("a", "b", "c");
  }

  @Test
  void fail_attemptsUsedUp_freesTheKeyAndTheDeadOneQueuesAgain() {
    Three three = three(StoreKind.MEMORY);

    claim(three.mail()).fail("broken", FailOptions.PERMANENT).orThrow();
    three.assertStates(List.of("b"), List.of(), List.of("c"));
    three.mail().deadLetters().redrive(three.a, Checkpointed.KEEP).orThrow();

    three.assertServed("b", "c", "a");
  }

  @Test
  void cancel_headWaits_freesTheKey() {
    Three three = three(StoreKind.MEMORY).failing();

    assertThat(three.harness.queues().cancel(three.a)).isEqualTo(CancelResult.CANCELLED);

    three.assertStates(List.of("b"), List.of(), List.of("c"));
    three.assertServed("b", "c");
  }

  @Test
  void purge_headWaits_freesTheKey() {
    Three three = three(StoreKind.MEMORY).failing();

    assertThat(three.mail().purge(EnumSet.of(JobState.DELAYED))).isEqualTo(1);

    three.assertServed("b", "c");
  }

  /** The new one comes behind those that wait. */
  @Test
  void replace_headWaits_freesTheKey() {
    Three three = three(StoreKind.MEMORY);
    three.mail().purge(EnumSet.of(JobState.READY, JobState.BLOCKED));
    EnqueueOptions own = ADA.unique(UniqueKey.of("own").replace());
    enqueue(three.mail(), "old", own);
    enqueue(three.mail(), "next", ADA);
    claim(three.mail()).fail("broken").orThrow();

    enqueue(three.mail(), "new", own);

    three.assertServed("next", "new");
  }

  @Test
  void reschedule_headThatWaits_keepsTheSlotWhereverItGoes() {
    Three three = three(StoreKind.MEMORY).failing();
    Instant now = Instant.ofEpochMilli(three.harness.clock().epochMs());

    three.harness.queues().reschedule(three.a, now.plusSeconds(60)).orThrow();
    advance(three.harness, ofSeconds(59));
    three.assertStates(List.of(), List.of("a"), List.of("b", "c"));
    three.harness.queues().reschedule(three.a, now).orThrow();

    three.assertServed("a", "b", "c");
  }

  @Test
  void reschedule_readyHead_holdsTheOthers() {
    Three three = three(StoreKind.MEMORY);
    Instant now = Instant.ofEpochMilli(three.harness.clock().epochMs());

    three.harness.queues().reschedule(three.a, now.plusSeconds(60)).orThrow();

    three.assertStates(List.of(), List.of("a"), List.of("b", "c"));
    advance(three.harness, ofSeconds(60));
    three.assertServed("a", "b", "c");
  }

  /** It never had a slot. */
  @Test
  void reschedule_blockedJobAndOneEnqueuedForLater_holdNobody() {
    Three three = three(StoreKind.MEMORY);
    Instant now = Instant.ofEpochMilli(three.harness.clock().epochMs());
    enqueue(three.mail(), "later", ADA.delay(ofSeconds(60)));

    three.harness.queues().reschedule(three.b, now.plusSeconds(60)).orThrow();

    three.assertServed("a", "c");
    advance(three.harness, ofSeconds(60));
    three.assertServed("b", "later");
  }

  @Test
  void snooze_holdsTheOthers() {
    Three three = three(StoreKind.MEMORY);

    claim(three.mail()).snooze(ofSeconds(10)).orThrow();
    three.assertStates(List.of(), List.of("a"), List.of("b", "c"));
    advance(three.harness, ofSeconds(10));
    claim(three.mail()).snooze(ofSeconds(0)).orThrow();

    three.assertServed("a", "b", "c");
  }

  @Test
  void waitFor_holdsTheOthersUntilTheSignalOrTheDeadline() {
    Three three = three(StoreKind.MEMORY);

    claim(three.mail()).waitFor("paid").orThrow();
    assertThat(claim(three.mail(), 10)).isEmpty();
    assertClean(three.harness);
    three.harness.queues().signal(three.a, "paid", new byte[0]).orThrow();
    claim(three.mail()).waitFor("paid", ofSeconds(5)).orThrow();
    assertThat(claim(three.mail(), 10)).isEmpty();
    advance(three.harness, ofSeconds(5));

    three.assertServed("a", "b", "c");
  }

  @Test
  void failStuck_waitingHead_freesTheKey() {
    Three three = three(StoreKind.MEMORY);
    claim(three.mail()).waitFor("paid").orThrow();

    three.harness.queues().admin().failStuck(three.a, "nobody pays").orThrow();

    three.assertServed("b", "c");
  }

  @ParameterizedTest
  @EnumSource(Expiry.class)
  void expiry_ofTheHead_isTheNextAgain(Expiry expiry) {
    Three three = three(StoreKind.MEMORY);
    three.mail().configure(settings -> settings.expiry(expiry));
    claim(three.mail());
    three.harness.storeLeases();

    advance(three.harness, LEASE_OVER);
    awaitJob(
        three.harness, three.a, expiry == Expiry.BACKOFF ? JobState.DELAYED : JobState.READY, 1);

    assertThat(peek(three.mail(), JobState.BLOCKED)).containsExactly("b", "c");
    advance(three.harness, ofSeconds(10));
    three.assertServed("a", "b", "c");
  }

  @ParameterizedTest
  @EnumSource(LeasesAtOpen.class)
  void crash_headLeased_isTheNextAgain(LeasesAtOpen leasesAtOpen) {
    Three three = three(start(StoreKind.LMDB, Setup.DEFAULT.withLeasesAtOpen(leasesAtOpen)));
    claim(three.mail());
    three.harness.storeLeases();

    three.harness.crash();
    advance(three.harness, LEASE_OVER);
    awaitJob(three.harness, three.a, JobState.READY, 1);

    three.assertServed("a", "b", "c");
  }

  @Test
  void release_isTheNextAgain() {
    Three three = three(StoreKind.MEMORY);

    claim(three.mail()).release().orThrow();

    three.assertServed("a", "b", "c");
  }

  @Test
  void setting_takenBackWhileTheHeadWaits_holdsUntilItIsReady() {
    Three three = three(StoreKind.MEMORY).failing();

    three.mail().configure(settings -> settings.inherit(Setting.KEY_ORDER));
    three.assertStates(List.of(), List.of("a"), List.of("b", "c"));
    advance(three.harness, ofSeconds(10));
    claim(three.mail()).fail("broken").orThrow();

    three.assertStates(List.of("b"), List.of("a"), List.of("c"));
    three.assertServed("b", "c");
  }

  /** Nor does one that is put off then. */
  @Test
  void setting_takenBackAndHeadRescheduled_freesTheKey() {
    Three three = three(StoreKind.MEMORY).failing();
    Instant now = Instant.ofEpochMilli(three.harness.clock().epochMs());
    three.mail().configure(settings -> settings.keyOrder(KeyOrder.PASSING));

    three.harness.queues().reschedule(three.a, now.plusSeconds(60)).orThrow();

    three.assertStates(List.of("b"), List.of("a"), List.of("c"));
  }

  @Test
  void setting_saidWhileAJobWaits_holdsFromTheNextWaitOn() {
    EngineHarness harness = start(StoreKind.LMDB);
    Three three =
        new Three(
            harness,
            enqueue(mail(harness), "a", ADA),
            enqueue(mail(harness), "b", ADA),
            enqueue(mail(harness), "c", ADA));
    claim(three.mail()).fail("broken").orThrow();

    harness.queues().admin().configure("mail", settings -> settings.keyOrder(KeyOrder.STRICT));
    claim(three.mail()).fail("broken too").orThrow();

    three.assertStates(List.of(), List.of("a", "b"), List.of("c"));
    harness.restartCleanly();
    advance(three.harness, ofSeconds(10));
    assertThat(payloads(claim(three.mail(), 10))).containsExactly("b");
  }

  @Test
  void perKey_two_asManyAreBegunAndNotEnded() {
    Three three = three(StoreKind.MEMORY);
    three.mail().configure(settings -> settings.perKey(2));
    List<Lease> leases = claim(three.mail(), 10);

    leases.get(0).fail("broken").orThrow();
    three.assertStates(List.of(), List.of("a"), List.of("c"));
    leases.get(1).complete().orThrow();

    assertThat(payloads(claim(three.mail(), 10))).containsExactly("c");
    assertClean(three.harness);
  }

  @Test
  void perKey_raisedWhileTheHeadWaits_letsOneMoreGo() {
    Three three = three(StoreKind.MEMORY).failing();

    three.mail().configure(settings -> settings.perKey(2));
    await("one is ready", () -> peek(three.mail(), JobState.READY).equals(List.of("b")));

    three.assertStates(List.of("b"), List.of("a"), List.of("c"));
  }

  @Test
  void queueDeletedWhileTheHeadWaits_theNameStartsAfresh() {
    Three three = three(StoreKind.MEMORY).failing();
    three.mail().delete();
    three.harness.awaitNothingDue();

    enqueue(three.mail(), "new", ADA);

    assertThat(payloads(claim(three.mail(), 10))).containsExactly("new");
    assertClean(three.harness);
  }

  /** Each part is judged by what those before it will leave. */
  @Test
  void transaction_failsTheHeadAndMovesItOn_slotGoesWithIt() {
    Three three = three(StoreKind.MEMORY);
    Instant now = Instant.ofEpochMilli(three.harness.clock().epochMs());
    Lease first = claim(three.mail());

    Dropped.result(
        three
            .harness
            .queues()
            .transact(
                tx -> {
                  tx.fail(first, "broken");
                  tx.reschedule(three.a, now.plusSeconds(5));
                  return null;
                }));
    three.assertStates(List.of(), List.of("a"), List.of("b", "c"));
    advance(three.harness, ofSeconds(5));
    Lease again = claim(three.mail());
    Dropped.result(
        three
            .harness
            .queues()
            .transact(
                tx -> {
                  tx.fail(again, "broken");
                  tx.cancel(three.a);
                  return null;
                }));

    three.assertServed("b", "c");
  }

  /** Of the engine's keys the slot goes on. */
  @Test
  void engineKey_isPassed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.keyOrder(KeyOrder.STRICT));
    EnqueueOptions host =
        EnqueueOptions.DEFAULT
            .engineConcurrencyKey("host", 1)
            .backoff(Backoff.fixed(ofSeconds(10)));
    enqueue(mail(harness), "a", host);
    enqueue(mail(harness), "b", host);

    claim(mail(harness)).fail("broken").orThrow();

    assertThat(payloads(claim(mail(harness), 10))).containsExactly("b");
    assertClean(harness);
  }

  @Test
  void explain_blockedByAHeadThatWaits_namesIt() {
    Three three = three(StoreKind.MEMORY).failing();

    Explanation told = three.harness.queues().explain(three.b).orElseThrow();

    assertThat(told.reasons().get(0).sentence())
        .isEqualTo(
            "is blocked by its concurrency key \"ada\": 1 job of it has begun ("
                + three.a
                + " waits for its next attempt), as many as may be; it is the next of the key");
  }
}
