package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobEvent;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.engine.GivenEvents;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Between the moment when an engine lets go of its failed store and the one when it opens it again,
 * somebody else may have it.
 */
class ForeignOwnerTrapsTest extends TrapTest {

  /** What happens before the next opening, once. */
  private static final class Interrupted implements StoreFactory {

    private final StoreFactory inner;
    private Runnable beforeOpen = () -> {};

    Interrupted(StoreFactory inner) {
      this.inner = inner;
    }

    @Override
    public String scheme() {
      return inner.scheme();
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      Runnable met = beforeOpen;
      beforeOpen = () -> {};
      met.run();
      return inner.open(options);
    }
  }

  private StoreOptions options() {
    return StoreOptions.of(folder.resolve("store"));
  }

  private EngineHarness start(Interrupted factory) {
    return started(new EngineHarness(factory, folder.resolve("store"), Setup.DEFAULT::options));
  }

  /** The write that fails is this one, or that of the row of a lease. */
  private static void poison(EngineHarness harness) {
    harness.store().breakNextWrite(new AssertionError("the disk is gone"));
    assertThatThrownBy(() -> enqueue(mail(harness), "never"))
        .isInstanceOfAny(OutcomeUnknownException.class, EnginePoisonedException.class);
  }

  /** Claims the job, as another process would, and hands it back with its clean stop. */
  private long claimAndClose(StoreFactory factory, ManualClock clock) {
    EngineOptions other = Setup.DEFAULT.options(clock).management(EngineOptions.Management.OFF);
    try (JobEngine engine = JobEngine.open(factory, options(), other)) {
      return claim(engine.queue("mail")).token();
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void reopen_anotherProcessHadTheStore_leasesOfMemoryAreHistory(StoreKind kind) {
    Interrupted factory = new Interrupted(kind.newFactory());
    EngineHarness harness = start(factory);
    enqueue(mail(harness), "job");
    Lease old = claim(mail(harness));
    poison(harness);
    long[] newerToken = new long[1];
    factory.beforeOpen = () -> newerToken[0] = claimAndClose(factory.inner, harness.clock());

    harness.engine().reopen();

    assertThat(newerToken[0]).isGreaterThan(old.token());
    assertThat(old.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    Lease next = claim(mail(harness));
    assertThat(next.token()).isGreaterThan(newerToken[0]);
    assertThat(next.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  /** Completes one job, kills another, and leaves the third alone, as another process would. */
  private void endTwo(StoreFactory factory, ManualClock clock) {
    EngineOptions other = Setup.DEFAULT.options(clock).management(EngineOptions.Management.OFF);
    try (JobEngine engine = JobEngine.open(factory, options(), other)) {
      claim(engine.queue("mail")).complete().orThrow();
      claim(engine.queue("mail")).fail("broken", FailOptions.PERMANENT).orThrow();
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void reopen_anotherProcessEndedJobs_waitsAreToldWhatCanBeKnown(StoreKind kind) {
    Interrupted factory = new Interrupted(kind.newFactory());
    EngineHarness harness = start(factory);
    CompletableFuture<JobEnd<byte[]>> completed = mail(harness).submit(new byte[1]).end();
    CompletableFuture<JobEnd<byte[]>> dead = mail(harness).submit(new byte[1]).end();
    CompletableFuture<JobEnd<byte[]>> left = mail(harness).submit(new byte[1]).end();
    poison(harness);
    factory.beforeOpen = () -> endTwo(factory.inner, harness.clock());

    harness.engine().reopen();

    assertThatThrownBy(() -> join(completed))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageStartingWith("outcome is unknown: the store was opened again and no longer has");
    assertThat(join(dead)).isEqualTo(new JobEnd.Died<byte[]>("broken", 1));
    assertNotAnswered(harness, left);
    claim(mail(harness)).complete().orThrow();
    assertThat(join(left)).isInstanceOf(JobEnd.Completed.class);
    assertThat(harness.engine().metrics().awaitCount()).isZero();
  }

  @InProcess("it looks into the thread of a listener in the engine")
  @ParameterizedTest
  @EachStoreKind
  void reopen_anotherProcessHadTheStore_listenersMissWhatNobodyKnows(StoreKind kind) {
    Interrupted factory = new Interrupted(kind.newFactory());
    EngineHarness harness = start(factory);
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    JobListening listening =
        harness
            .queues()
            .listen(
                new JobListener() {
                  @Override
                  public void happened(JobEvent event) {
                    told.add(event.kind() + " " + event.type());
                  }

                  @Override
                  public void missed(long count) {
                    told.add("missed " + count);
                  }
                });
    poison(harness);
    EngineOptions other =
        Setup.DEFAULT.options(harness.clock()).management(EngineOptions.Management.OFF);
    factory.beforeOpen = () -> JobEngine.open(factory.inner, options(), other).close();

    harness.engine().reopen();

    enqueue(mail(harness), "after");
    pokeTwice(harness);
    GivenEvents.await(listening);
    assertThat(told).containsExactly("missed 1", "ENQUEUED mail");
    assertThat(listening.missedCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void reopen_failsWhileAnotherHasTheStore_leasesOfMemoryAreHistoryTheNextTime(StoreKind kind) {
    Interrupted factory = new Interrupted(kind.newFactory());
    EngineHarness harness = start(factory);
    enqueue(mail(harness), "job");
    Lease old = claim(mail(harness));
    poison(harness);
    factory.beforeOpen =
        () -> {
          claimAndClose(factory.inner, harness.clock());
          throw new StoreLockedException("another process has the store", 7);
        };
    assertThatThrownBy(() -> harness.engine().reopen()).isInstanceOf(StoreLockedException.class);

    harness.engine().reopen();

    assertThat(old.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(claim(mail(harness)).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void reopen_epochRoseByMoreThanOneButNobodyCame_leasesGoOn(StoreKind kind) {
    Interrupted factory = new Interrupted(kind.newFactory());
    EngineHarness harness = start(factory);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));
    poison(harness);
    factory.beforeOpen = () -> factory.inner.open(options()).close();

    harness.engine().reopen();

    assertThat(claim(mail(harness), 1)).isEmpty();
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_failsAfterItsMark_leasesGoOn() {
    Interrupted factory = new Interrupted(StoreKind.FAULTY.newFactory());
    EngineHarness harness = start(factory);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));
    poison(harness);
    FaultyStore machine = (FaultyStore) factory.inner;
    factory.beforeOpen = () -> machine.failNext(StoreCall.WRITE, Fault.AFTER);
    assertThatThrownBy(() -> harness.engine().reopen()).isInstanceOf(StoreFailedException.class);

    harness.engine().reopen();

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void reopen_againAndAgain_leasesGoOn(StoreKind kind) {
    Interrupted factory = new Interrupted(kind.newFactory());
    EngineHarness harness = start(factory);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));

    for (int i = 0; i < 3; i++) {
      poison(harness);
      factory.beforeOpen =
          () -> {
            throw new StoreLockedException("somebody looks at it", 7);
          };
      assertThatThrownBy(() -> harness.engine().reopen()).isInstanceOf(StoreLockedException.class);
      harness.engine().reopen();
    }

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }
}
