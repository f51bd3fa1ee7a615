package io.millrace.model.traps;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobId;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.engine.GivenEvents;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners are told what happens to jobs: once, and not too early. */
class JobListenerTrapsTest extends JobListenerTrapTest {

  @ParameterizedTest
  @EachStoreKind
  void job_fromItsEnqueueToItsEnd_isToldStepByStep(StoreKind kind) {
    EngineHarness harness = start(kind);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    JobQueue queue = harness.queues().queue("mail", "a tenant");
    JobId id = enqueue(queue, "x", EnqueueOptions.DEFAULT.delay(ofSeconds(2)));
    advance(harness, ofSeconds(2));
    harness.awaitNothingDue();
    advance(harness, ofMillis(30));
    Lease lease = claim(queue);
    harness.clock().advanceMs(400);
    lease.complete().orThrow();

    assertThat(told(harness, listening, heard))
        .containsExactly(
            "mail ENQUEUED 0 now DELAYED",
            "mail CLAIMED 1 by worker after 30 now LEASED",
            "mail COMPLETED 1 by worker ran 400");
    assertThat(heard.events).extracting(JobEvent::jobId).containsOnly(id);
    assertThat(heard.events)
        .extracting(JobEvent::queue)
        .containsOnly(new QueueName("mail", "a tenant"));
    assertThat(heard.events.get(2).at()).isEqualTo(heard.events.get(1).at().plusMillis(400));
    assertThat(heard.events.get(0))
        .hasToString(
            "JobEvent[ENQUEUED, job="
                + id
                + ", queue="
                + queue.name()
                + ", type=mail, attempt=0, at="
                + heard.events.get(0).at()
                + "]");
    assertThat(listening.missedCount()).isZero();
  }

  @ParameterizedTest
  @EachStoreKind
  void everyKind_isToldWithWhatBelongsToIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.deadRetention(ofSeconds(10)));
    claimNew(harness, "released").release().orThrow();
    claim(mail).fail("broken").orThrow();
    claimNew(harness, "snoozed").snooze(ofSeconds(900)).orThrow();
    Lease dead = claimNew(harness, "dead");
    dead.fail("broken", FailOptions.PERMANENT).orThrow();
    mail.deadLetters().redrive(dead.jobId()).orThrow();
    claim(mail).fail("again", FailOptions.PERMANENT).orThrow();
    Lease unwanted = claimNew(harness, "unwanted");
    assertThat(harness.queues().cancel(unwanted.jobId())).isEqualTo(CancelResult.REQUESTED);
    unwanted.fail("broken").orThrow();
    enqueue(mail, "x", TWICE.type("dropped").timeToLive(ofSeconds(5)));
    enqueue(mail, "x", TWICE.type("purged").delay(ofSeconds(900)).priority(9));
    harness.queues().cancel(enqueue(harness, "cancelled")).orThrow();
    for (int i = 0; i < 3; i++) {
      advance(harness, ofSeconds(5));
      harness.awaitNothingDue();
    }

    assertThat(told(harness, listening, heard))
        .filteredOn(text -> !text.contains("ENQUEUED") && !text.contains("CLAIMED"))
        .containsExactly(
            "released RELEASED 1 by worker ran 0 now READY",
            "released RETRIED 1 by worker ran 0 of broken now DELAYED",
            "snoozed SNOOZED 1 by worker ran 0 now DELAYED",
            "dead DIED 1 by worker ran 0 of broken now DEAD",
            "dead REDRIVEN 0 now READY",
            "dead DIED 1 by worker ran 0 of again now DEAD",
            "unwanted CANCELLED 1 by worker ran 0",
            "cancelled CANCELLED 0",
            "dropped DROPPED 0",
            "dead REMOVED 1");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB})
  void lease_thatRunsOut_isToldAsExpiredAndAtLastAsDied(StoreKind kind) {
    EngineHarness harness = start(kind);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    JobId id = claimNew(harness, "late").jobId();
    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.READY, 1);
    claim(mail(harness));
    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.DEAD, 2);

    String error = " of lease expired: worker=worker, attempt=";
    assertThat(told(harness, listening, heard))
        .containsExactly(
            "late ENQUEUED 0 now READY",
            "late CLAIMED 1 by worker after 0 now LEASED",
            "late EXPIRED 1 by worker ran 30001" + error + "1 now READY",
            "late CLAIMED 2 by worker after 0 now LEASED",
            "late DIED 2 by worker ran 30001" + error + "2 now DEAD");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB})
  void queue_deletedAndPurged_eachJobIsToldOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    Heard heard = new Heard();
    JobListening listening =
        harness.queues().listen(QueueName.of("mail"), Set.of(Kind.REMOVED), heard);
    enqueue(mail(harness), "x", TWICE.type("purged").delay(ofSeconds(900)));
    mail(harness).purge(EnumSet.of(JobState.DELAYED));
    claimNew(harness, "leased");
    claimNew(harness, "failed").fail("broken").orThrow();
    enqueue(harness, "waiting");

    mail(harness).delete();
    harness.awaitNothingDue();

    assertThat(told(harness, listening, heard))
        .containsExactly(
            "purged REMOVED 0",
            "leased REMOVED 1 by worker ran 0",
            "failed REMOVED 1",
            "waiting REMOVED 0");
  }

  @Test
  void listener_ofAQueueAndKinds_isToldOfThoseAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Heard heard = new Heard();
    JobListening listening =
        harness.queues().listen(QueueName.of("mail"), Set.of(Kind.COMPLETED, Kind.DIED), heard);
    claimNew(harness, "done").complete().orThrow();
    JobQueue other = harness.queues().queue("other");
    other.enqueue(new byte[1]);
    claim(other).complete().orThrow();
    claimNew(harness, "dead").fail("broken", FailOptions.PERMANENT).orThrow();

    assertThat(told(harness, listening, heard))
        .containsExactly(
            "done COMPLETED 1 by worker ran 0", "dead DIED 1 by worker ran 0 of broken now DEAD");
  }

  @Test
  void events_ofASyncedCall_areToldWhenTheSyncIsOver() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    harness.store().holdNextSync();
    CompletableFuture<?> enqueue = mail(harness).enqueueAsync(new byte[1], TWICE);
    harness.store().awaitHeld();
    GivenEvents.await(listening);

    assertThat(heard.texts()).isEmpty();

    harness.store().letGo();
    join(enqueue);
    assertThat(told(harness, listening, heard)).containsExactly("mail ENQUEUED 0 now READY");
  }

  @Test
  void expiry_ofASyncedEngine_isSyncedAndToldThoughNobodyElseWaits() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Heard heard = new Heard();
    claimNew(harness, "late");
    harness.storeLeases();
    JobListening listening = harness.queues().listen(heard);
    harness.store().holdNextSync();
    harness.clock().advanceMs(LEASE_OVER.toMillis());
    harness.store().awaitHeld();
    GivenEvents.await(listening);
    assertThat(heard.texts()).isEmpty();

    harness.store().letGo();

    assertThat(told(harness, listening, heard)).hasSize(1).first().asString().contains("EXPIRED");
  }

  @Test
  void batch_thatTheStoreRefuses_tellsNothing() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Lease lease = claimNew(harness, "job");
    harness.storeLeases();
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    harness.machine().room(Room.FOR_NONE);
    assertThatThrownBy(() -> enqueue(harness, "refused")).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(lease::complete).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    lease.complete().orThrow();

    assertThat(told(harness, listening, heard))
        .containsExactly("job COMPLETED 1 by worker ran 1005");
  }

  /** Whether the batch reached the store before that failed. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void batch_ofUnknownOutcome_isToldAfterTheReopeningIfItHappened(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(harness, "before");
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(() -> enqueue(harness, "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    enqueue(harness, "after");
    List<String> told = told(harness, listening, heard);
    if (fault == Fault.BEFORE) {
      assertThat(told).containsExactly("after ENQUEUED 0 now READY");
    } else {
      assertThat(told)
          .containsExactly("unknown ENQUEUED 0 now READY", "after ENQUEUED 0 now READY");
    }
    assertThat(heard.gaps).isEmpty();
  }

  @Test
  void claim_answeredWithABatchThatIsRefused_isToldOnce() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    enqueue(harness, "job");
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker =
        harness.queues().queue("other").enqueueAsync(new byte[1], TWICE.type("blocker"));
    harness.store().awaitHeld();
    CompletableFuture<List<Lease>> claim = mail(harness).claimAsync(ClaimOptions.by("worker"));
    CompletableFuture<?> refused =
        harness.queues().queue("other").enqueueAsync(new byte[1], TWICE.type("refused"));
    harness.store().letGoUntilWrite();
    join(blocker);
    harness.store().awaitHeld();
    assertThat(join(claim)).hasSize(1);
    harness.machine().room(Room.FOR_NONE);

    harness.store().letGo();

    assertThatThrownBy(() -> join(refused)).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    assertThat(told(harness, listening, heard))
        .containsExactly(
            "job ENQUEUED 0 now READY",
            "blocker ENQUEUED 0 now READY",
            "job CLAIMED 1 by worker after 0 now LEASED");
  }

  @Test
  void reopen_listenersGoOnAlsoWithALeaseThatTheStoreDoesNotKnowOf() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    Lease lease = claimNew(harness, "job");
    harness.store().breakNextWrite(new AssertionError("the disk is gone"));
    assertThatThrownBy(() -> enqueue(harness, "lost")).isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    lease.complete().orThrow();
    assertThat(told(harness, listening, heard))
        .containsExactly(
            "job ENQUEUED 0 now READY",
            "job CLAIMED 1 by worker after 0 now LEASED",
            "job COMPLETED 1 by worker ran 0");
    assertThat(GivenEvents.isOver(listening)).isFalse();
  }
}
