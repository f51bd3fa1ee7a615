package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Distribution;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineHealth.Failure;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an engine tells of itself when its store is full, fails and is well again. */
@InProcess("what an engine tells of itself")
class ConditionTrapsTest extends TrapTest {

  /** What listeners were told, and on which thread. */
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  private final EngineListener listener =
      new EngineListener() {
        @Override
        public void poisoned(Throwable cause) {
          tell("poisoned: " + cause.getMessage());
        }

        @Override
        public void reopened() {
          tell("reopened");
        }

        @Override
        public void full(Throwable cause) {
          tell("full: " + cause.getMessage());
        }

        @Override
        public void roomAgain() {
          tell("room again");
        }

        private void tell(String event) {
          told.add(Thread.currentThread().getName() + ": " + event);
        }
      };

  @Test
  void health_newEngine_isUp() {
    EngineHarness harness = start(StoreKind.FAULTY);

    EngineHealth health = harness.engine().health();

    assertThat(health.status()).isEqualTo(Status.UP);
    assertThat(health.since()).isEqualTo(now(harness));
    assertThat(health.reason()).isEmpty();
    assertThat(health.clockDivergence()).isEqualTo(ofSeconds(0));
    assertThat(health.lastError()).isEmpty();
    assertThat(health.warnings()).isEmpty();
  }

  @Test
  void full_thenRoomAgain_isToldByHealthAndListeners() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY, this::listening);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    harness.clock().advanceMs(60_000);
    harness.machine().room(Room.FOR_RESERVE_USERS);

    assertThatThrownBy(() -> mail.enqueue("refused".getBytes(UTF_8)))
        .isInstanceOf(StoreFullException.class);

    EngineHealth full = harness.engine().health();
    Instant fullAt = now(harness);
    String cause = full.lastError().orElseThrow().error();
    assertThat(full.status()).isEqualTo(Status.FULL);
    assertThat(full.since()).isEqualTo(fullAt);
    assertThat(full.reason()).isEqualTo("store is full: " + cause);
    assertThat(next()).isEqualTo("millrace-answer: full: " + cause);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    assertThat(next()).isEqualTo("millrace-answer: room again");
    EngineHealth well = harness.engine().health();
    assertThat(well.status()).isEqualTo(Status.UP);
    assertThat(well.since()).isEqualTo(now(harness));
    assertThat(well.reason()).isEmpty();
    assertThat(well.lastError()).contains(new Failure(fullAt, cause));
    assertThat(told).isEmpty();
  }

  @Test
  void failedSync_thenReopen_isToldByHealthAndListeners() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY, this::listening);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    failNextSync(harness);

    assertThatThrownBy(() -> mail.enqueue("unknown".getBytes(UTF_8)))
        .isInstanceOf(OutcomeUnknownException.class);

    EngineHealth poisoned = harness.engine().health();
    assertThat(poisoned.status()).isEqualTo(Status.POISONED);
    assertThat(poisoned.reason()).isEqualTo("store failed: the sync failed: fault injected");
    assertThat(poisoned.lastError())
        .contains(new Failure(now(harness), "the sync failed: fault injected"));
    assertThat(harness.engine().metrics().health()).isEqualTo(poisoned);
    assertThat(next()).isEqualTo("millrace-answer: poisoned: the sync failed: fault injected");
    harness.engine().reopen();
    assertThat(next()).isEqualTo("millrace-answer: reopened");
    assertThat(harness.engine().health().status()).isEqualTo(Status.UP);
    assertThat(told).isEmpty();
  }

  @Test
  void listener_thatThrows_keepsNothingFromAnybody() throws InterruptedException {
    EngineListener broken =
        new EngineListener() {
          @Override
          public void full(Throwable cause) {
            told.add("broken");
            throw new StackOverflowError("thrown by the test");
          }
        };
    EngineHarness harness =
        start(
            StoreKind.FAULTY,
            clock -> Setup.DEFAULT.options(clock).listener(broken).listener(listener));
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    harness.machine().room(Room.FOR_RESERVE_USERS);

    assertThatThrownBy(() -> mail.enqueue("refused".getBytes(UTF_8)))
        .isInstanceOf(StoreFullException.class);

    assertThat(next()).isEqualTo("broken");
    assertThat(next()).startsWith("millrace-answer: full: ");
    assertThat(join(mail.claimAsync(ClaimOptions.by("w1")))).hasSize(1);
  }

  @Test
  void listener_thatUsesTheEngine_isServed() throws InterruptedException {
    EngineHarness[] started = new EngineHarness[1];
    EngineListener reopening =
        new EngineListener() {
          @Override
          public void poisoned(Throwable cause) {
            started[0].engine().reopen();
            told.add("reopened by the listener");
          }
        };
    started[0] = start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).listener(reopening));
    JobQueue mail = mail(started[0]);
    enqueue(mail, "a");
    failNextSync(started[0]);

    assertThatThrownBy(() -> mail.enqueue("unknown".getBytes(UTF_8)))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThat(next()).isEqualTo("reopened by the listener");
    assertThat(started[0].engine().health().status()).isEqualTo(Status.UP);
    enqueue(mail, "works again");
  }

  @Test
  void metrics_batchThatNeverHappened_isNotCounted() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    harness.machine().room(Room.FOR_NONE);

    assertThatThrownBy(() -> mail.enqueue("refused".getBytes(UTF_8)))
        .isInstanceOf(StoreException.class);

    EngineMetrics metrics = harness.engine().metrics();
    assertThat(metrics.operations(Total.ENQUEUED)).isEqualTo(1);
    assertThat(metrics.groupRequests().sinceOpening())
        .isEqualTo(new Distribution(1, 1, 1, 1, 1, 1));
    harness.machine().room(Room.FOR_ALL);
  }

  @Test
  void metrics_requestsHeldUp_areInTheRingAndThenInOneGroup() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    harness.store().holdNextWrite();
    Dropped.result(mail.enqueueAsync("first".getBytes(UTF_8), EnqueueOptions.DEFAULT));
    harness.store().awaitHeld();
    for (int i = 0; i < 8; i++) {
      Dropped.result(mail.enqueueAsync("held".getBytes(UTF_8), EnqueueOptions.DEFAULT));
    }

    int heldUp = harness.engine().metrics().ringDepth();
    harness.clock().advanceMs(40);
    harness.store().letGo();
    enqueue(mail, "last");

    EngineMetrics metrics = harness.engine().metrics();
    assertThat(heldUp).isEqualTo(8);
    assertThat(metrics.groupRequests().sinceOpening().max()).isGreaterThanOrEqualTo(8);
    assertThat(metrics.groupRequests().sinceOpening().sum()).isEqualTo(10);
    assertThat(metrics.commitNs().sinceOpening().max()).isEqualTo(40_000_000);
    assertThat(metrics.ringDepth()).isZero();
  }

  @Test
  void health_wallClockSetBack_tellsHowFarTheEngineIsAhead() {
    EngineHarness harness = start(StoreKind.FAULTY);

    harness.clock().stepWallMs(-ofSeconds(8).toMillis());
    harness.poke();

    assertThat(harness.engine().health().clockDivergence()).isEqualTo(ofSeconds(8));
    advance(harness, ofMillis(10));
    assertThat(harness.engine().health().clockDivergence())
        .isEqualTo(ofSeconds(8).minus(ofMillis(5)));
  }

  @Test
  void health_closedAfterPoison_tellsThatClosingFailed() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    harness.machine().failNext(StoreCall.SYNC, Fault.BEFORE);
    assertThatThrownBy(() -> mail.enqueue("unknown".getBytes(UTF_8)))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThatThrownBy(harness.engine()::close).isInstanceOf(StoreException.class);

    EngineHealth closed = harness.engine().health();
    assertThat(closed.status()).isEqualTo(Status.CLOSED);
    assertThat(closed.reason())
        .isEqualTo("engine was closed; closing failed: the store failed before it was closed");
    assertThat(closed.lastError())
        .contains(new Failure(now(harness), "the store failed before it was closed"));
    harness.losePower();
  }

  private EngineOptions listening(ManualClock clock) {
    return Setup.DEFAULT.options(clock).listener(listener);
  }

  private static void failNextSync(EngineHarness harness) {
    harness.machine().failNext(StoreCall.SYNC, Fault.BEFORE);
  }

  private static Instant now(EngineHarness harness) {
    return Instant.ofEpochMilli(harness.clock().epochMs());
  }

  private String next() throws InterruptedException {
    return String.valueOf(told.poll(20, TimeUnit.SECONDS));
  }
}
