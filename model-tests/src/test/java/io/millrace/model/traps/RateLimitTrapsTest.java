package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** More starts than the limit allows, a token that nobody gets, a claim that polls for one. */
@Tag("calls")
class RateLimitTrapsTest extends TrapTest {

  private static final ClaimOptions BY = ClaimOptions.by("worker");
  private static final RateLimit TEN_A_SECOND = RateLimit.of(10, ofSeconds(1));
  private static final EnqueueOptions ADA = EnqueueOptions.DEFAULT.concurrencyKey("ada");
  private static final EnqueueOptions BOB = EnqueueOptions.DEFAULT.concurrencyKey("bob");

  private static JobQueue limited(EngineHarness harness, RateLimit limit, int jobCount) {
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.rateLimit(limit));
    fill(mail, jobCount);
    return mail;
  }

  private static void fill(JobQueue queue, int jobCount) {
    queue.enqueueAll(
        Collections.nCopies(jobCount, new NewJob("job".getBytes(UTF_8), EnqueueOptions.DEFAULT)));
  }

  private static JobQueue limitedKeys(EngineHarness harness, RateLimit limit) {
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.perKey(100).rateLimitPerKey(limit));
    return mail;
  }

  private static CompletableFuture<List<Lease>> waiting(JobQueue queue) {
    return queue.claimAsync(BY.waiting(ofMinutes(10)));
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_ofMany_takesAsManyAsThereAreTokens(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = limited(harness, TEN_A_SECOND.burst(3), 10);

    assertThat(claim(mail, 10)).hasSize(3);
    assertThat(claim(mail, 10)).isEmpty();
    advance(harness, ofMillis(199));
    assertThat(claim(mail, 10)).hasSize(1);
    advance(harness, ofMillis(1));
    assertThat(claim(mail, 10)).hasSize(1);
    advance(harness, ofDays(1));
    assertThat(claim(mail, 10)).hasSize(3);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void claimThatWaits_isServedInTheMillisecondOfTheToken(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = limited(harness, TEN_A_SECOND, 10);
    claim(mail);
    CompletableFuture<List<Lease>> first = waiting(mail);
    CompletableFuture<List<Lease>> second = waiting(mail);
    harness.poke();

    harness.clock().advanceMs(99);
    harness.awaitNothingDue();
    assertNotAnswered(harness, first);
    harness.clock().advanceMs(1);

    assertThat(join(first)).hasSize(1);
    harness.awaitNothingDue();
    assertNotAnswered(harness, second);
    harness.clock().advanceMs(100);
    assertThat(join(second)).hasSize(1);
  }

  @Test
  void claimThatWaits_jobComesWhileThereIsNoToken_isServedWithTheToken() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limited(harness, TEN_A_SECOND, 1);
    claim(mail);
    CompletableFuture<List<Lease>> claim = waiting(mail);
    harness.poke();

    enqueue(mail, "next");

    assertNotAnswered(harness, claim);
    harness.clock().advanceMs(100);
    assertThat(payloads(join(claim))).containsExactly("next");
  }

  @ParameterizedTest
  @EachStoreKind
  void release_givesTheTokenBack_snoozeDoesNot(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = limited(harness, RateLimit.of(1, ofDays(1)), 3);
    Lease lease = claim(mail);
    CompletableFuture<List<Lease>> claim = waiting(mail);
    assertNotAnswered(harness, claim);

    lease.release().orThrow();

    Lease again = join(claim).get(0);
    assertThat(claim(mail, 5)).isEmpty();
    again.snooze(ofSeconds(1)).orThrow();
    assertThat(claim(mail, 5)).isEmpty();
    advance(harness, ofSeconds(2));
    assertThat(claim(mail, 5)).isEmpty();
  }

  @Test
  void release_ofALeaseThatTookNoToken_givesNone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    fill(mail, 3);
    Lease before = claim(mail);
    mail.configure(settings -> settings.rateLimit(RateLimit.of(1, ofDays(1))));
    claim(mail);

    before.release().orThrow();

    assertThat(claim(mail, 5)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void restart_fillsTheBucket(StoreKind kind) {
    EngineHarness harness = start(kind);
    limited(harness, RateLimit.of(1, ofDays(1)).burst(2), 5);
    assertThat(claim(mail(harness), 5)).hasSize(2);

    harness.restartCleanly();

    assertThat(claim(mail(harness), 5)).hasSize(2);
    assertThat(claim(mail(harness), 5)).isEmpty();
  }

  @Test
  void wallClockSet_givesNoToken() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limited(harness, RateLimit.of(1, ofMinutes(1)), 5);
    claim(mail);

    harness.clock().stepWallMs(ofDays(1).toMillis());
    harness.poke();

    assertThat(claim(mail, 5)).isEmpty();
    advance(harness, ofMinutes(1));
    assertThat(claim(mail, 5)).hasSize(1);
  }

  @Test
  void queueUnloaded_getsNoBurstForIt() {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).queueIdle(ofSeconds(1)));
    JobQueue mail = limited(harness, RateLimit.of(1, ofDays(1)), 5);
    claim(mail);

    advance(harness, ofMinutes(2));
    harness.awaitNothingDue();

    assertThat(claim(mail, 5)).isEmpty();
  }

  @Test
  void queueDeletedAndMadeAnew_limitOfTheName_getsNoBurstForIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness
        .queues()
        .admin()
        .configure("mail", settings -> settings.rateLimit(RateLimit.of(1, ofDays(1))));
    fill(mail(harness), 2);
    claim(mail(harness)).complete().orThrow();

    mail(harness).delete();
    fill(mail(harness), 2);

    assertThat(claim(mail(harness), 5)).isEmpty();
  }

  @Test
  void perKey_queueDeletedAndMadeAnew_getsNoBurstForIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    RateLimit daily = RateLimit.of(1, ofDays(1));
    harness.queues().admin().configure("mail", settings -> settings.rateLimitPerKey(daily));
    EnqueueOptions ada = EnqueueOptions.DEFAULT.concurrencyKey("ada");
    enqueue(mail(harness), "a", ada);
    claim(mail(harness)).complete().orThrow();

    mail(harness).delete();
    enqueue(mail(harness), "b", ada);
    enqueue(mail(harness), "c", EnqueueOptions.DEFAULT.engineConcurrencyKey("ada", 1));

    assertThat(payloads(claim(mail(harness), 5))).containsExactly("c");
  }

  @Test
  void limitRaised_claimThatWaits_isServedAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limited(harness, RateLimit.of(1, ofDays(1)), 5);
    claim(mail);
    CompletableFuture<List<Lease>> first = waiting(mail);
    CompletableFuture<List<Lease>> second = waiting(mail);
    CompletableFuture<List<Lease>> third = waiting(mail);
    harness.poke();

    mail.configure(settings -> settings.rateLimit(RateLimit.of(1, ofDays(1)).burst(2)));

    assertThat(join(first)).hasSize(1);
    assertNotAnswered(harness, second);
    mail.configure(settings -> settings.rateLimit(TEN_A_SECOND));
    assertNotAnswered(harness, second);
    harness.clock().advanceMs(100);
    assertThat(join(second)).hasSize(1);
    mail.configure(QueueSettings::noRateLimit);
    assertThat(join(third)).hasSize(1);
  }

  @Test
  void limitOfTheName_changedWhileClaimsWait_isSeenByAllTenants() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    harness
        .queues()
        .admin()
        .configure("mail", settings -> settings.rateLimit(RateLimit.of(1, ofDays(1))));
    for (String tenant : List.of("acme", "globex")) {
      JobQueue queue = harness.queues().queue(new QueueName("mail", tenant));
      fill(queue, 3);
      claim(queue);
      claims.add(waiting(queue));
    }
    harness.poke();

    harness.queues().admin().configure("mail", settings -> settings.rateLimit(TEN_A_SECOND));
    harness.awaitNothingDue();
    claims.forEach(claim -> assertNotAnswered(harness, claim));
    harness.clock().advanceMs(100);

    claims.forEach(claim -> assertThat(join(claim)).hasSize(1));
  }

  @Test
  void severalQueues_oneWithoutToken_isSkipped() {
    EngineHarness harness = start(StoreKind.MEMORY);
    limited(harness, RateLimit.of(1, ofDays(1)), 5);
    fill(harness.queues().queue("print"), 3);
    List<QueueName> both = List.of(QueueName.of("mail"), QueueName.of("print"));

    assertThat(harness.queues().claim(both, BY.max(10))).hasSize(4);
    CompletableFuture<List<Lease>> claim =
        harness.queues().claimAsync(both, BY.waiting(ofMinutes(10)));
    assertNotAnswered(harness, claim);
    enqueue(harness.queues().queue("print"), "late");

    assertThat(payloads(join(claim))).containsExactly("late");
  }

  @Test
  void queueLease_holderIsLimited() {
    EngineHarness harness = start(StoreKind.MEMORY);
    limited(harness, TEN_A_SECOND.burst(2), 5);

    QueueLease lease =
        harness.queues().leaseQueue(QueueName.of("mail"), "w", ofSeconds(5)).lease().orElseThrow();

    assertThat(lease.claim(BY.max(5)).orThrow()).hasSize(2);
    assertThat(lease.claim(BY.max(5)).orThrow()).isEmpty();
  }

  @Test
  void claimGivenUpWhileItIsGranted_givesItsTokenBack() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limited(harness, RateLimit.of(1, ofDays(1)), 5);
    harness.store().holdNextWrite();
    CompletableFuture<?> first =
        harness.queues().queue("print").enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<List<Lease>> claim = mail.claimAsync(BY.waiting(ofMinutes(1)));

    claim.cancel(true);
    harness.store().letGo();
    join(first);
    pokeTwice(harness);

    assertThat(claim(mail, 5)).hasSize(1);
  }

  @Test
  void batchRefused_claimToldBeforeIt_keepsItsToken() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = limited(harness, RateLimit.of(1, ofDays(1)).burst(2), 5);
    JobQueue print = harness.queues().queue("print");
    harness.store().holdNextWrite();
    CompletableFuture<?> first = print.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<List<Lease>> claim = mail.claimAsync(BY);
    CompletableFuture<?> refused = print.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.machine().room(Room.FOR_NONE);
    harness.store().letGo();
    assertThat(join(claim)).hasSize(1);
    assertThatThrownBy(() -> join(refused)).isInstanceOf(StoreFullException.class);
    assertThat(first).isDone();

    harness.machine().room(Room.FOR_ALL);
    advance(harness, ofSeconds(2));

    assertThat(claim(mail, 5)).hasSize(1);
    assertThat(claim(mail, 5)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void perKey_keyWithoutToken_isPassedOverAndKeepsItsOrder(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = limitedKeys(harness, TEN_A_SECOND);
    for (int i = 1; i <= 3; i++) {
      enqueue(mail, "a" + i, ADA);
    }
    enqueue(mail, "b1", BOB);
    enqueue(mail, "free");

    assertThat(payloads(claim(mail, 10))).containsExactly("a1", "b1", "free");
    assertThat(claim(mail, 10)).isEmpty();
    enqueue(mail, "b2", BOB);
    advance(harness, ofMillis(100));
    assertThat(payloads(claim(mail, 10))).containsExactly("a2", "b2");
    advance(harness, ofMillis(100));
    enqueue(mail, "a4", ADA);
    assertThat(payloads(claim(mail, 10))).containsExactly("a3");
    advance(harness, ofMillis(100));
    assertThat(payloads(claim(mail, 10))).containsExactly("a4");
    assertClean(harness);
  }

  @Test
  void perKey_claimThatWaits_isServedInTheMillisecondOfTheToken() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limitedKeys(harness, TEN_A_SECOND);
    enqueue(mail, "a1", ADA);
    enqueue(mail, "a2", ADA);
    claim(mail);
    CompletableFuture<List<Lease>> first = waiting(mail);
    CompletableFuture<List<Lease>> second = waiting(mail);
    harness.poke();

    harness.clock().advanceMs(99);
    harness.awaitNothingDue();
    assertNotAnswered(harness, first);
    harness.clock().advanceMs(1);

    assertThat(payloads(join(first))).containsExactly("a2");
    enqueue(mail, "b1", BOB);
    assertThat(payloads(join(second))).containsExactly("b1");
  }

  @Test
  void perKey_release_givesTheTokenBack() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limitedKeys(harness, RateLimit.of(1, ofDays(1)));
    enqueue(mail, "a1", ADA);
    enqueue(mail, "a2", ADA);
    Lease lease = claim(mail);
    assertThat(claim(mail, 5)).isEmpty();
    CompletableFuture<List<Lease>> claim = waiting(mail);
    assertNotAnswered(harness, claim);

    lease.release().orThrow();

    assertThat(payloads(join(claim))).containsExactly("a1");
    assertThat(claim(mail, 5)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void perKey_restartWhileJobsAreSetBack_losesNone(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = limitedKeys(harness, RateLimit.of(1, ofDays(1)));
    enqueue(mail, "a1", ADA);
    enqueue(mail, "a2", ADA);
    enqueue(mail, "b1", BOB);
    claim(mail, 10).forEach(lease -> lease.complete().orThrow());
    enqueue(mail, "b2", BOB);
    assertThat(claim(mail, 10)).isEmpty();

    harness.restartCleanly();

    assertThat(payloads(claim(mail(harness), 10))).containsExactly("a2", "b2");
    assertClean(harness);
  }

  @Test
  void perKey_heavyJobOfTheKeyInFront_lighterOneIsServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limitedKeys(harness, TEN_A_SECOND);
    enqueue(mail, "a1", ADA);
    enqueue(mail, "heavy", ADA.weight(10));
    enqueue(mail, "light", ADA);
    claim(mail);
    assertThat(claim(mail, 5)).isEmpty();
    advance(harness, ofMillis(100));

    assertThat(payloads(mail.claim(BY.capacity(5)))).containsExactly("light");
    advance(harness, ofMillis(100));
    assertThat(payloads(mail.claim(BY))).containsExactly("heavy");
  }

  @Test
  void perKey_jobsPutAside_canBeChangedAndRemoved() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limitedKeys(harness, TEN_A_SECOND);
    enqueue(mail, "a1", ADA);
    JobId second = enqueue(mail, "a2", ADA);
    JobId third = enqueue(mail, "a3", ADA);
    enqueue(mail, "a4", ADA);
    claim(mail);
    assertThat(claim(mail, 5)).isEmpty();

    assertThat(harness.queues().cancel(second).isDone()).isTrue();
    harness.queues().update(third, UpdateOptions.NOTHING.weight(7)).orThrow();
    advance(harness, ofMillis(100));

    assertThat(payloads(mail.claim(BY.capacity(5)))).containsExactly("a4");
    advance(harness, ofMillis(100));
    assertThat(payloads(mail.claim(BY))).containsExactly("a3");
    assertThat(claim(mail, 5)).isEmpty();
    harness.storeLeases();
    assertThat(peek(mail, JobState.READY)).isEmpty();
    assertClean(harness);
  }

  @Test
  void perKey_limitTakenAway_allAreServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = limitedKeys(harness, RateLimit.of(1, ofDays(1)));
    for (int i = 1; i <= 4; i++) {
      enqueue(mail, "a" + i, ADA);
    }
    assertThat(claim(mail, 10)).hasSize(1);
    CompletableFuture<List<Lease>> claim = mail.claimAsync(BY.max(9).waiting(ofMinutes(10)));
    assertNotAnswered(harness, claim);

    mail.configure(QueueSettings::noRateLimitPerKey);

    assertThat(payloads(join(claim))).containsExactly("a2", "a3", "a4");
  }

  @Test
  void rateLimit_outOfRange_isRefusedBeforeAnythingHappens() {
    assertThatThrownBy(() -> RateLimit.of(0, ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rate limit's count is out of range: value=0, least=1, most=1000000");
    assertThatThrownBy(() -> RateLimit.of(1, ofDays(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rate limit's per is out of range: value=PT192H, least=PT0.001S, most=PT168H");
    assertThatThrownBy(() -> RateLimit.of(1, ofNanos(1_500_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rate limit's per has a part of a millisecond: value=PT0.0015S; round it");
    assertThatThrownBy(() -> TEN_A_SECOND.burst(1_000_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rate limit's burst is out of range: value=1000001, least=1, most=1000000");
  }
}
