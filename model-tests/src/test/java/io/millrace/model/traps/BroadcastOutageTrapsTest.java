package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.BroadcastReport;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What befalls a broadcast of which a step is stored, and more are to come. */
@InProcess("what a store's faults do, whoever calls")
class BroadcastOutageTrapsTest extends SignalTrapTest {

  private static final int WAITING = 20;

  /** As many as a step wakes. */
  private static final int STEP = 2;

  private EngineHarness start() {
    EngineHarness harness =
        started(
            EngineHarness.withSmallSteps(StoreKind.FAULTY, folder.resolve("store"), Setup.DEFAULT));
    for (int i = 0; i < WAITING; i++) {
      waiting(harness, "go");
    }
    return harness;
  }

  /** A broadcast whose first step is stored, and whose second is being written. */
  private static CompletableFuture<BroadcastReport> begin(EngineHarness harness)
      throws InterruptedException {
    harness.store().holdNextWrite();
    CompletableFuture<BroadcastReport> report = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                report.complete(broadcast(harness, "go", "all"));
              } catch (RuntimeException e) {
                report.completeExceptionally(e);
              }
            })
        .start();
    harness.store().awaitHeld();
    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();
    return report;
  }

  private static long count(EngineHarness harness, JobState state) {
    return mail(harness).stats().orElseThrow().count(state);
  }

  private static void assertOver(EngineHarness harness) {
    assertThat(count(harness, JobState.WAITING)).isZero();
    assertThat(mail(harness).stats().orElseThrow().total(Total.WOKEN)).isEqualTo(WAITING);
    assertThat(harness.engine().metrics().broadcastCount()).isZero();
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void broadcast_storeIsFullInTheMiddle_leavesTheReserveToOthersAndGoesOnWhenThereIsRoom()
      throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "running");
    Lease running = claim(mail(harness));
    CompletableFuture<BroadcastReport> report = begin(harness);
    harness.machine().room(Room.FOR_RESERVE_USERS);
    harness.store().letGo();

    assertThatThrownBy(() -> join(report))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("broadcast is stored and goes on by itself")
        .hasCauseInstanceOf(StoreFullException.class);
    assertThat(running.complete()).isEqualTo(CompleteResult.COMPLETED);
    advance(harness, Duration.ofSeconds(3));
    assertThat(count(harness, JobState.WAITING)).isEqualTo(WAITING - STEP);
    assertThat(harness.engine().metrics().broadcastCount()).isEqualTo(1);

    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("there is room again", () -> !harness.engine().isFull());
    harness.awaitNothingDue();
    assertOver(harness);
  }

  @Test
  void broadcast_engineIsClosedInTheMiddle_isNotSaidToHaveNotHappened()
      throws InterruptedException {
    EngineHarness harness = start();
    JobId nobody = enqueue(mail(harness), "nobody");
    CompletableFuture<BroadcastReport> report = begin(harness);
    Thread closer = new Thread(harness.engine()::close);
    closer.start();
    await(
        "no more is taken",
        () ->
            harness
                .queues()
                .signals()
                .signalAsync(nobody, "other", bytes("x"))
                .isCompletedExceptionally());

    harness.store().letGo();
    closer.join();

    assertThatThrownBy(() -> join(report))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("do not repeat it")
        .hasCauseInstanceOf(EngineClosedException.class);
    harness.openAgain();
    harness.awaitNothingDue();
    assertThat(count(harness, JobState.WAITING)).isZero();
    assertThat(mail(harness).stats().orElseThrow().total(Total.WOKEN)).isEqualTo(WAITING);
    assertClean(harness);
  }

  @Test
  void broadcast_stepFails_isTakenUpWhereItWasWhenTheEngineIsReopened()
      throws InterruptedException {
    EngineHarness harness = start();
    CompletableFuture<BroadcastReport> report = begin(harness);
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    harness.store().letGo();

    assertThatThrownBy(() -> join(report))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("broadcast is stored");
    harness.engine().reopen();
    harness.awaitNothingDue();
    assertOver(harness);
  }

  @Test
  void broadcast_powerGoesInTheMiddle_reachesEachOnce() throws InterruptedException {
    EngineHarness harness = start();
    CompletableFuture<BroadcastReport> report = begin(harness);
    harness.machine().crash();
    harness.store().letGo();
    assertThatThrownBy(() -> join(report)).isInstanceOf(OutcomeUnknownException.class);

    harness.losePower();
    harness.awaitNothingDue();
    assertOver(harness);
    for (Lease lease : claim(mail(harness), WAITING)) {
      assertThat(lease.wake()).isEqualTo(signalled("go", "all"));
    }
  }
}
