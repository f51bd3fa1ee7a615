package io.millrace.model.traps;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.model.rig.UnreadableFactory;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches that cannot be made or written: only those fail whose fault it is. */
@InProcess("how much the engine reads or writes, whoever calls")
class SetbackTrapsTest extends TrapTest {

  private final UnreadableFactory rows = new UnreadableFactory(StoreKind.FAULTY.newFactory());

  private EngineHarness startUnreadable() {
    return startUnreadable(Setup.DEFAULT);
  }

  private EngineHarness startUnreadable(Setup setup) {
    return started(new EngineHarness(rows, folder.resolve("store"), setup::options));
  }

  @Test
  void reaper_jobCannotBeRead_otherLeasesEndAndThatOneLater() {
    EngineHarness harness = startUnreadable();
    JobQueue mail = mail(harness);
    JobId hidden = enqueue(mail, "a");
    JobId other = enqueue(mail, "b");
    assertThat(claim(mail, 2)).hasSize(2);
    harness.storeLeases();
    rows.hide(hidden);

    harness.clock().advanceMs(LEASE_OVER.toMillis());
    awaitJob(harness, other, JobState.READY, 1);

    assertThat(harness.engine().poison()).isEmpty();
    rows.show();
    harness.clock().advanceMs(60_001);
    awaitJob(harness, hidden, JobState.READY, 1);
    assertClean(harness);
  }

  @Test
  void mover_delayedJobCannotBeRead_otherQueuesGoOnAndThatOneLater() {
    EngineHarness harness = startUnreadable();
    JobId before = enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    JobId hidden = enqueue(mail(harness), "b", EnqueueOptions.DEFAULT.delay(ofSeconds(2)));
    JobQueue other = harness.queues().queue("other");
    rows.hide(hidden);

    for (int i = 0; i < 3; i++) {
      JobId delayed = enqueue(other, "c", EnqueueOptions.DEFAULT.delay(ofSeconds(3)));
      harness.clock().advanceMs(3_000);
      harness.awaitNothingDue();
      assertThat(state(harness.queues(), delayed)).isEqualTo(JobState.READY);
    }

    assertThat(harness.engine().health().warnings())
        .singleElement()
        .asString()
        .contains("queues=1");
    rows.show();
    harness.clock().advanceMs(60_000);
    awaitJob(harness, before, JobState.READY, 0);
    awaitJob(harness, hidden, JobState.READY, 0);
    assertThat(harness.engine().health().warnings()).isEmpty();
    assertClean(harness);
  }

  @Test
  void claimGivenUp_jobCannotBeRead_leaseRunsOutAndWhatIsDueGoesOn() throws InterruptedException {
    EngineHarness harness =
        startUnreadable(Setup.DEFAULT.withClaimsAnswer(ClaimsAnswer.AFTER_COMMIT));
    JobQueue mail = mail(harness);
    JobId hidden = enqueue(mail, "a");
    harness.store().holdNextWrite();
    CompletableFuture<List<Lease>> claim = mail.claimAsync(ClaimOptions.by("gone"));
    harness.store().awaitHeld();
    claim.cancel(false);
    rows.hide(hidden);

    harness.store().letGo();
    JobId delayed = enqueue(mail, "b", EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    harness.clock().advanceMs(1_000);

    awaitJob(harness, delayed, JobState.READY, 0);
    rows.show();
    harness.clock().advanceMs(LEASE_OVER.toMillis());
    awaitJob(harness, hidden, JobState.READY, 1);
    assertClean(harness);
  }

  @Test
  void request_callerGaveUpAndItsJobCannotBeRead_engineGoesOn() throws InterruptedException {
    EngineHarness harness = startUnreadable();
    JobQueue mail = mail(harness);
    JobId hidden = enqueue(mail, "a");
    harness.store().holdNextWrite();
    CompletableFuture<?> held = mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    Thread caller = new Thread(() -> assertUnknown(harness, hidden));
    caller.start();
    awaitRingDepth(harness, 1);
    caller.interrupt();
    caller.join();
    rows.hide(hidden);

    harness.store().letGo();

    join(held);
    assertThat(join(mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT)).jobId()).isNotNull();
    rows.show();
    assertClean(harness);
  }

  private static void assertUnknown(EngineHarness harness, JobId id) {
    assertThatThrownBy(() -> harness.queues().cancelIfWaiting(id))
        .isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void request_itsJobCannotBeRead_failsAlone() {
    EngineHarness harness = startUnreadable();
    JobId hidden = enqueue(mail(harness), "a");
    rows.hide(hidden);

    assertThatThrownBy(() -> harness.queues().cancelIfWaiting(hidden))
        .isInstanceOf(StoreException.class);

    rows.show();
    assertThat(state(harness.queues(), hidden)).isEqualTo(JobState.READY);
    assertThat(harness.engine().poison()).isEmpty();
  }

  @Test
  void sync_saysThatTheStoreIsFull_batchThatIsInTheStoreIsNotTakenBack() {
    AtomicBoolean isFull = new AtomicBoolean();
    EngineHarness harness = startBehind(store -> fullAtSync(store, isFull));
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    isFull.set(true);

    assertThatThrownBy(lease::complete).isInstanceOf(OutcomeUnknownException.class);

    isFull.set(false);
    harness.engine().reopen();
    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.LEASED)).isZero();
    assertClean(harness);
  }

  @Test
  void group_isMoreThanTheStoreTakes_isDividedAndOnlyWhatFitsNoBatchIsRefused()
      throws InterruptedException {
    AtomicInteger operationCountMax = new AtomicInteger(131_072);
    EngineHarness harness = startBehind(store -> taking(store, operationCountMax));
    JobQueue mail = mail(harness);
    harness.store().holdNextWrite();
    CompletableFuture<?> held = mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    List<CompletableFuture<?>> small = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      small.add(mail.enqueueAllAsync(Collections.nCopies(100, NewJob.of(new byte[1]))));
    }
    CompletableFuture<?> large =
        mail.enqueueAllAsync(Collections.nCopies(2_000, NewJob.of(new byte[1])));
    operationCountMax.set(500);

    harness.store().letGo();

    join(held);
    small.forEach(TrapTest::join);
    assertThatThrownBy(() -> join(large))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("call is too large for one commit of this store");
    assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(801);
    assertClean(harness);
  }

  @Test
  @Tag("slow")
  void request_comesWhileWaitingClaimsFillABatch_waitsForTheNext() {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).windowBytesMax(64 << 20));
    JobQueue held = harness.queues().queue("held");
    List<NewJob> jobs = Collections.nCopies(10_000, NewJob.of(new byte[1]));
    held.enqueueAll(jobs);
    List<Lease> leases = held.claim(ClaimOptions.by("worker").max(10_000));
    JobQueue mail = mail(harness);
    mail.pause();
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      mail.enqueueAll(jobs);
      for (int k = 0; k < 10; k++) {
        claims.add(mail.claimAsync(ClaimOptions.by("worker").max(1_000).waiting(ofMinutes(9))));
      }
    }
    harness.poke();

    mail.resume();

    assertThat(harness.queues().completeAll(leases)).containsOnly(CompleteResult.COMPLETED);
    claims.forEach(claim -> assertThat(join(claim)).hasSize(1_000));
    assertClean(harness);
  }

  private EngineHarness startBehind(UnaryOperator<OrderedStore> front) {
    StoreFactory factory = ForwardingStore.factory(StoreKind.FAULTY.newFactory(), front);
    return started(new EngineHarness(factory, folder.resolve("store"), Setup.DEFAULT::options));
  }

  /** A store whose sync may find the disk full. */
  private static OrderedStore fullAtSync(OrderedStore sound, AtomicBoolean isFull) {
    return new ForwardingStore(sound) {
      @Override
      public void sync() {
        if (isFull.get()) {
          throw new StoreFullException("disk is full");
        }
        store.sync();
      }
    };
  }

  /** A store that takes as many operations as it is told to. */
  private static OrderedStore taking(OrderedStore sound, AtomicInteger operationCountMax) {
    return new ForwardingStore(sound) {
      @Override
      public StoreInfo info() {
        return store.info().batchOperationsMax(operationCountMax.get());
      }
    };
  }
}
