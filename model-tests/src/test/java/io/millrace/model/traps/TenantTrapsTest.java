package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Claims across all tenants of a name: everybody has a turn. */
class TenantTrapsTest extends TrapTest {

  /** So many that a claim looks at them in several batches. */
  private static final int TENANT_COUNT = Trials.count("tenants", 5_000, 5_000, 100_000);

  private static final int UNDER_WAY_MAX = 5_000;

  private static final Setup UNLOADING =
      new Setup(
          Setup.DEFAULT.durability(),
          Setup.DEFAULT.claimsAnswer(),
          Setup.DEFAULT.leasesAtOpen(),
          Setup.Loading.WHILE_USED);

  private static JobQueue tenant(EngineHarness harness, String tenant) {
    return harness.queues().queue("mail", tenant);
  }

  private static void enqueue(EngineHarness harness, String tenant, int count) {
    NewJob job = NewJob.of(tenant.getBytes(UTF_8));
    assertThat(tenant(harness, tenant).enqueueAll(Collections.nCopies(count, job))).hasSize(count);
  }

  private static List<String> claim(EngineHarness harness, int max) {
    return payloads(
        harness.queues().claimAcrossTenants("mail", ClaimOptions.by("worker").max(max)));
  }

  private static List<String> claimLight(EngineHarness harness) {
    return payloads(
        harness.queues().claimAcrossTenants("mail", ClaimOptions.by("small").capacity(5)));
  }

  private static CompletableFuture<List<Lease>> waiting(EngineHarness harness) {
    return harness
        .queues()
        .claimAcrossTenantsAsync("mail", ClaimOptions.by("waiting").waiting(ofMinutes(30)));
  }

  /** A job of this weight for each of many tenants. */
  private static void enqueueForMany(EngineHarness harness, int weight) {
    List<CompletableFuture<Enqueued>> futures = new ArrayList<>();
    for (int i = 0; i < TENANT_COUNT; i++) {
      futures.add(
          tenant(harness, "t" + i)
              .enqueueAsync(("t" + i).getBytes(UTF_8), EnqueueOptions.DEFAULT.weight(weight)));
      if (futures.size() == UNDER_WAY_MAX) {
        futures.forEach(TrapTest::join);
        futures.clear();
      }
    }
    futures.forEach(TrapTest::join);
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_backlogOfOthers_oneJobIsServedWithinTheNumberOfTenants(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (String busy : List.of("a", "b", "c")) {
      enqueue(harness, busy, 200);
    }
    assertThat(claim(harness, 7)).containsExactly("a", "b", "c", "a", "b", "c", "a");

    enqueue(harness, "quiet", 1);

    assertThat(claim(harness, 4)).containsExactly("b", "c", "a", "quiet");
    assertThat(claim(harness, 3)).containsExactly("b", "c", "a");
    assertClean(harness);
  }

  @Test
  void claim_shares_areSoManyJobsOfEachTurn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(harness, "a", 20);
    enqueue(harness, "b", 20);
    enqueue(harness, "c", 1);
    tenant(harness, "b").configure(settings -> settings.share(3));

    assertThat(claim(harness, 3)).containsExactly("a", "b", "b");
    assertThat(claim(harness, 6)).containsExactly("b", "c", "a", "b", "b", "b");
    tenant(harness, "b").configure(settings -> settings.share(1));
    assertThat(claim(harness, 4)).containsExactly("a", "b", "a", "b");
    harness.queues().admin().configure("mail", settings -> settings.share(2));
    assertThat(claim(harness, 4)).containsExactly("a", "a", "b", "a");
  }

  @Test
  void claim_priorities_orderTheJobsOfOneTenantAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(tenant(harness, "a"), "a, low", EnqueueOptions.DEFAULT.priority(-9));
    enqueue(tenant(harness, "b"), "b, low", EnqueueOptions.DEFAULT.priority(-9));
    enqueue(tenant(harness, "b"), "b, high", EnqueueOptions.DEFAULT.priority(9));

    assertThat(claim(harness, 3)).containsExactly("a, low", "b, high", "b, low");
  }

  @ParameterizedTest
  @EachStoreKind
  void waitingClaim_tenantThatNeverWas_isServedInItsCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    CompletableFuture<List<Lease>> claim = waiting(harness);
    enqueue(harness.queues().queue("other"), "of another name");
    assertNotAnswered(harness, claim);

    enqueue(harness, "new", 1);

    assertThat(payloads(join(claim))).containsExactly("new");
    assertClean(harness);
  }

  @Test
  void waitingClaim_whateverMakesAJobReady_isServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue paused = tenant(harness, "paused");
    enqueue(harness, "paused", 1);
    paused.pause();
    CompletableFuture<List<Lease>> claim = waiting(harness);
    assertNotAnswered(harness, claim);
    paused.resume();
    assertThat(payloads(join(claim))).containsExactly("paused");

    claim = waiting(harness);
    advance(harness, LEASE_OVER);
    assertThat(payloads(join(claim))).containsExactly("paused");
    claim.join().get(0).complete().orThrow();

    claim = waiting(harness);
    enqueue(tenant(harness, "delayed"), "delayed", EnqueueOptions.DEFAULT.delay(ofSeconds(9)));
    assertNotAnswered(harness, claim);
    advance(harness, ofSeconds(9));
    assertThat(payloads(join(claim))).containsExactly("delayed");

    CompletableFuture<List<Lease>> second = waiting(harness);
    assertNotAnswered(harness, second);
    claim.join().get(0).release().orThrow();
    assertThat(payloads(join(second))).containsExactly("delayed");
    assertClean(harness);
  }

  @Test
  void waitingClaim_queueLeaseEnds_isServedAlsoIfTheQueueIsNotInMemory() {
    EngineHarness harness = start(StoreKind.MEMORY, UNLOADING);
    enqueue(harness, "kept", 1);
    QueueLease lease =
        harness
            .queues()
            .leaseQueue(new QueueName("mail", "kept"), "holder", ofMinutes(10))
            .orThrow();
    CompletableFuture<List<Lease>> claim = waiting(harness);
    assertNotAnswered(harness, claim);
    advance(harness, ofMinutes(2));
    harness.awaitNothingDue();
    assertNotAnswered(harness, claim);

    lease.close();

    assertThat(payloads(join(claim))).containsExactly("kept");
  }

  @Test
  void waitingClaims_onTheQueueAndOnTheName_areServedInOrderOfArrival() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue a = tenant(harness, "a");
    ClaimOptions patient = ClaimOptions.by("worker").waiting(ofMinutes(30));
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      claims.add(waiting(harness));
      claims.add(a.claimAsync(patient));
    }
    harness.poke();

    for (int i = 0; i < claims.size(); i++) {
      enqueue(harness, "a", 1);
      assertThat(payloads(join(claims.get(i)))).containsExactly("a");
      for (CompletableFuture<List<Lease>> later : claims.subList(i + 1, claims.size())) {
        assertNotAnswered(harness, later);
      }
    }
  }

  @Test
  void claim_passesOverHeavyTenants_theyKeepTheirPlaces() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions heavy = EnqueueOptions.DEFAULT.weight(9);
    enqueue(tenant(harness, "a"), "a", heavy);
    enqueue(tenant(harness, "b"), "b", heavy);
    enqueue(harness, "c", 2);
    enqueue(harness, "d", 1);

    assertThat(claimLight(harness)).containsExactly("c");
    assertThat(claim(harness, 4)).containsExactly("a", "b", "d", "c");
    enqueue(tenant(harness, "a"), "a", heavy);
    assertThat(claimLight(harness)).isEmpty();
  }

  @Test
  void claim_tenantComesAndGoes_hasNoMoreThanItsTurns() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(harness, "a", 100);
    enqueue(harness, "b", 100);
    List<String> served = new ArrayList<>();

    for (int i = 0; i < 30; i++) {
      enqueue(harness, "comes", 1);
      served.addAll(claim(harness, 1));
    }

    assertThat(served.subList(3, 30).stream().filter("a"::equals)).hasSize(9);
    assertThat(served.subList(3, 30).stream().filter("b"::equals)).hasSize(9);
    assertThat(served.subList(3, 30).stream().filter("comes"::equals)).hasSize(9);
  }

  @Test
  void claim_leavesAndComesAgain_isBehindAllWhoWaited() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(harness, "a", 1);
    assertThat(claim(harness, 1)).containsExactly("a");
    JobId gone = enqueue(tenant(harness, "a"), "gone");
    enqueue(harness, "b", 1);
    assertThat(harness.queues().cancel(gone)).isEqualTo(CancelResult.CANCELLED);

    enqueue(harness, "a", 1);

    assertThat(claim(harness, 2)).containsExactly("b", "a");
  }

  @ParameterizedTest
  @EachStoreKind
  void restart_manyTenants_allHaveTheirTurns(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueueForMany(harness, 1);
    enqueue(harness, "t7", 50);

    harness.restartCleanly();

    List<String> served = new ArrayList<>();
    while (served.size() < TENANT_COUNT) {
      served.addAll(claim(harness, Math.min(5_000, TENANT_COUNT - served.size())));
    }
    assertThat(served).doesNotHaveDuplicates();
    assertThat(claim(harness, 100)).hasSize(50).containsOnly("t7");
    assertClean(harness);
  }

  @Test
  void restart_manyTenants_readsTheirRowsTogether() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueueForMany(harness, 1);
    harness.restartCleanly();
    harness.awaitNothingDue();
    long before = harness.store().readCount();

    assertThat(claim(harness, 1)).hasSize(1);
    long first = harness.store().readCount();
    assertThat(claim(harness, 100)).hasSize(100);

    assertThat(first - before)
        .as("reads to know all tenants")
        .isLessThanOrEqualTo(TENANT_COUNT / 100);
    assertThat(harness.store().readCount() - first)
        .as("one for the rows of the queues, and the name's; one for the first jobs of each")
        .isLessThanOrEqualTo(105);
  }

  @Test
  void claim_manyTenantsWithoutAnything_findsTheOneWhoHas() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueueForMany(harness, 9);
    CompletableFuture<List<Lease>> claim =
        harness
            .queues()
            .claimAcrossTenantsAsync(
                "mail", ClaimOptions.by("small").capacity(5).waiting(ofMinutes(30)));
    harness.poke();
    harness.awaitNothingDue();
    assertNotAnswered(harness, claim);

    enqueue(tenant(harness, "t3"), "light", EnqueueOptions.DEFAULT.priority(-1));

    assertThat(payloads(join(claim))).containsExactly("light");
    enqueue(tenant(harness, "t4711"), "light", EnqueueOptions.DEFAULT);
    assertThat(claimLight(harness)).containsExactly("light");
    assertThat(claimLight(harness)).isEmpty();
    assertThat(claim(harness, 2)).containsExactly("t0", "t1");
  }

  @Test
  void full_batchThatServedAClaim_turnsAreAsBefore() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(harness, "a", 3);
    enqueue(harness, "b", 3);
    enqueue(harness, "c", 3);
    assertThat(claim(harness, 4)).containsExactly("a", "b", "c", "a");
    harness.machine().room(Room.FOR_RESERVE_USERS);
    assertThatThrownBy(() -> enqueue(harness, "d", 1)).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());

    enqueue(harness, "e", 1);

    assertThat(claim(harness, 9)).containsExactly("b", "c", "a", "e", "b", "c");
    assertClean(harness);
  }

  @Test
  void full_claimOfTheBatchIsMadeAnew_isServedInItsTurn() throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.FAULTY, Setup.DEFAULT.withClaimsAnswer(ClaimsAnswer.AFTER_COMMIT));
    enqueue(harness, "a", 1);
    enqueue(harness, "b", 1);
    enqueue(harness, "c", 3);
    assertThat(claim(harness, 3)).containsExactly("a", "b", "c");
    enqueue(harness, "a", 1);
    enqueue(harness, "b", 1);
    harness.store().holdNextWrite();
    JobQueue other = harness.queues().queue("other");
    CompletableFuture<?> first = other.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<List<Lease>> claim =
        harness.queues().claimAcrossTenantsAsync("mail", ClaimOptions.by("worker").max(2));
    CompletableFuture<?> refused = other.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    awaitRingDepth(harness, 2);
    harness.store().letGoUntilWrite();
    join(first);
    harness.store().awaitHeld();
    harness.machine().room(Room.FOR_RESERVE_USERS);
    harness.store().letGo();

    assertThatThrownBy(() -> join(refused)).isInstanceOf(StoreFullException.class);

    assertThat(payloads(join(claim))).containsExactly("c", "a");
    assertThat(claim(harness, 3)).containsExactly("b", "c");
    assertClean(harness);
  }

  @Test
  void full_waitingClaimWasServed_itGoesOnWaitingAndIsServed() {
    EngineHarness harness = start(StoreKind.FAULTY);
    CompletableFuture<List<Lease>> claim = waiting(harness);
    harness.poke();
    harness.machine().room(Room.FOR_RESERVE_USERS);
    assertThatThrownBy(() -> enqueue(harness, "a", 1)).isInstanceOf(StoreFullException.class);
    assertNotAnswered(harness, claim);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());

    enqueue(harness, "b", 1);

    assertThat(payloads(join(claim))).containsExactly("b");
    assertClean(harness);
  }

  @Test
  void deletedTenant_andOneOfTheSameName_haveTurnsOfTheirOwn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(harness, "a", 3);
    enqueue(harness, "b", 3);
    assertThat(claim(harness, 1)).containsExactly("a");
    assertThat(tenant(harness, "b").delete()).isTrue();
    assertThat(claim(harness, 1)).containsExactly("a");
    enqueue(harness, "b", 1);

    assertThat(claim(harness, 5)).containsExactly("a", "b");
  }

  @Test
  void badInput_isRefusedBeforeAnythingHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    ClaimOptions options = ClaimOptions.by("worker");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> harness.queues().claimAcrossTenants("", options).size())
        .withMessageContaining("name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> harness.queues().claimAcrossTenants("x".repeat(201), options).size())
        .withMessageContaining("200");
    assertThatNullPointerException()
        .isThrownBy(() -> harness.queues().claimAcrossTenants("mail", nothing()).size())
        .withMessage("options");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mail(harness).configure(settings -> settings.share(0)))
        .withMessage("share is out of range: value=0, least=1, most=1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mail(harness).configure(settings -> settings.share(1_001)))
        .withMessage("share is out of range: value=1001, least=1, most=1000");
    assertThat(mail(harness).stats()).isEmpty();
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
