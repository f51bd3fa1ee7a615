package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What memory says of a commit of unknown outcome is put right by the reopening. */
@InProcess("how an engine opens its store again")
class ReopenTrapsTest extends TrapTest {

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void reopen_checkpointOfUnknownOutcome_laterCompleteLeavesNoPayloadBehind(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    mail.enqueue(new byte[2_000], EnqueueOptions.DEFAULT);
    Lease lease = claim(mail);
    enqueue(mail, "flush");
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(() -> lease.checkpoint(new byte[3_000]))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_extendOfUnknownOutcome_laterExtendIsStoredAgain() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));
    enqueue(mail(harness), "flush");
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    assertThatThrownBy(() -> lease.extend(ofMinutes(9)))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
    lease.extend(ofMinutes(9)).orThrow();
    harness.nextOptions(
        options -> options.leasesAtOpen(io.millrace.api.EngineOptions.LeasesAtOpen.HONOUR));
    harness.crash();
    advance(harness, ofMinutes(8));
    assertThat(mail(harness).stats().orElseThrow().count(JobState.LEASED)).isEqualTo(1);
  }

  @Test
  void reopen_afterFullToTheLast_dueWorkGoesOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    JobId later = enqueue(mail, "later", EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    Lease lease = claimOf(mail);
    harness.machine().room(Room.FOR_NONE);
    assertThatThrownBy(lease::complete).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    harness.clock().advanceMs(1_000);
    await("the probe fails", () -> harness.engine().poison().isPresent());

    harness.engine().reopen();
    advance(harness, ofSeconds(10));

    awaitJob(harness, later, JobState.READY, 0);
  }

  @Test
  void reopen_claimHadLostTheStoreWhileItReadItsPayload_jobIsFreeAgain() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    mail.enqueue(new byte[10_000]);
    harness
        .store()
        .breakRead(
            Keyspace.BLOB,
            0,
            () -> {
              harness.poke();
              harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
              assertThatThrownBy(() -> enqueue(mail, "unknown"))
                  .isInstanceOf(OutcomeUnknownException.class);
              return new StoreClosedException("store is closed");
            });

    assertThatThrownBy(() -> claim(mail))
        .isInstanceOf(EnginePoisonedException.class)
        .hasMessageContaining("what was claimed is handed back");
    harness.engine().reopen();
    harness.poke();

    assertThat(claim(mail).attempt()).isEqualTo(1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void reopen_leaseThatNobodyWantsWentBackInABatchOfUnknownOutcome_jobIsFreeAgain(Fault fault)
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    CompletableFuture<?> enqueued = enqueueForClaimThatIsGivenUp(harness);
    harness.machine().failNext(StoreCall.WRITE, fault);
    harness.store().letGo();
    join(enqueued.thenApply(result -> true));
    await("the batch that hands it back fails", () -> harness.engine().poison().isPresent());

    harness.engine().reopen();
    harness.poke();

    assertThat(claim(mail).attempt()).isEqualTo(1);
    assertClean(harness);
  }

  /** A job on its way, held before its sync, for a claim that waited and is not wanted any more. */
  private static CompletableFuture<?> enqueueForClaimThatIsGivenUp(EngineHarness harness)
      throws InterruptedException {
    JobQueue mail = mail(harness);
    CompletableFuture<List<Lease>> claim =
        mail.claimAsync(ClaimOptions.by("worker").waiting(ofMinutes(1)));
    harness.poke();
    harness.store().holdNextSync();
    CompletableFuture<?> enqueued =
        mail.enqueueAsync("job".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    claim.cancel(true);
    return enqueued;
  }

  private static Lease claimOf(JobQueue queue) {
    enqueue(queue, "job");
    return claim(queue);
  }

  @Test
  void full_toTheLastWithALeaseNobodyWants_engineSleepsUntilTheProbe() throws Exception {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    CompletableFuture<?> enqueued = enqueueForClaimThatIsGivenUp(harness);
    harness.machine().room(Room.FOR_NONE);
    harness.store().letGo();
    join(enqueued.thenApply(result -> true));
    await("the engine is full", harness.engine()::isFull);
    pokeWhileFull(harness);
    long before = harness.machine().callCount(StoreCall.WRITE);

    for (int i = 0; i < 100; i++) {
      pokeWhileFull(harness);
    }

    assertThat(harness.machine().callCount(StoreCall.WRITE) - before).isLessThan(1_000);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the lease is handed back", () -> peek(mail, JobState.READY).equals(List.of("job")));
    assertThat(mail.with(Durability.BUFFERED).stats().orElseThrow().count(JobState.LEASED))
        .isZero();
  }

  /** Lets the loop go round; a call that shares its batch with what has no room is told so. */
  private static void pokeWhileFull(EngineHarness harness) {
    try {
      harness.poke();
    } catch (StoreFullException shared) {
      assertThat(harness.engine().isFull()).isTrue();
    }
  }
}
