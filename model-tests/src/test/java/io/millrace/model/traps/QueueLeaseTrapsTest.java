package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.LeasedQueue;
import io.millrace.api.Limits;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueLeasedException;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A queue that one worker has for itself, for a while. */
class QueueLeaseTrapsTest extends TrapTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName OTHER = QueueName.of("other");

  private static final Setup UNLOADING =
      new Setup(
          Setup.DEFAULT.durability(),
          Setup.DEFAULT.claimsAnswer(),
          Setup.DEFAULT.leasesAtOpen(),
          Setup.Loading.WHILE_USED);

  static QueueLease lease(EngineHarness harness) {
    return harness.queues().leaseQueue(MAIL, "holder", ofSeconds(5)).orThrow();
  }

  static List<Lease> claimed(QueueLease lease) {
    return lease.claim(10, ZERO).orThrow();
  }

  static CompletableFuture<List<Lease>> waiting(EngineHarness harness, QueueName... queues) {
    return harness
        .queues()
        .claimAsync(List.of(queues), ClaimOptions.by("other").waiting(ofMinutes(10)));
  }

  private static Instant now(EngineHarness harness) {
    return Instant.ofEpochMilli(harness.clock().epochMs());
  }

  @ParameterizedTest
  @EachStoreKind
  void claim_queueLeasedByAnother_findsNothingAndTheHolderAll(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    QueueLease lease = lease(harness);

    List<Lease> others = claim(mail(harness), 10);
    List<Lease> own = claimed(lease);

    assertThat(others).isEmpty();
    assertThat(payloads(own)).containsExactly("a", "b");
    assertThat(own).extracting(Lease::worker).containsOnly("holder");
    lease.close();
    assertThat(own.get(0).complete()).isEqualTo(CompleteResult.COMPLETED);
    advance(harness, LEASE_OVER);
    assertThat(claim(mail(harness)).attempt()).isEqualTo(2);
    assertClean(harness);
  }

  @Test
  void leaseQueue_twice_theSecondIsToldWhoHasItAndUntilWhen() {
    EngineHarness harness = start(StoreKind.MEMORY);
    lease(harness);
    advance(harness, ofSeconds(2));

    QueueLeaseResult second = harness.queues().leaseQueue(MAIL, "holder");

    assertThat(second)
        .isEqualTo(new QueueLeaseResult.QueueLeased(MAIL, "holder", now(harness).plusSeconds(3)));
    assertThat(second.isDone()).isFalse();
    assertThat(second.lease()).isEmpty();
    assertThatThrownBy(second::orThrow)
        .isInstanceOf(QueueLeasedException.class)
        .hasMessage(
            "queue is leased: queue=mail, worker=holder, until=" + now(harness).plusSeconds(3));
  }

  @Test
  void claim_ofSeveralQueues_isServedFromThoseThatNobodyHas() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "kept", EnqueueOptions.DEFAULT.priority(9));
    enqueue(harness.queues().queue(OTHER), "free");
    lease(harness);

    List<Lease> leases =
        harness.queues().claim(List.of(MAIL, OTHER), ClaimOptions.by("other").max(10));

    assertThat(payloads(leases)).containsExactly("free");
  }

  @Test
  void claim_waitsForALeasedQueueAndAnother_isServedFromTheOther() {
    EngineHarness harness = start(StoreKind.MEMORY);
    lease(harness);
    CompletableFuture<List<Lease>> waiting = waiting(harness, MAIL, OTHER);

    enqueue(mail(harness), "kept");
    assertNotAnswered(harness, waiting);
    enqueue(harness.queues().queue(OTHER), "free");

    assertThat(payloads(join(waiting))).containsExactly("free");
  }

  @ParameterizedTest
  @EachStoreKind
  void close_claimsOfOthersWait_areServedAtOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    QueueLease lease = lease(harness);
    CompletableFuture<List<Lease>> waiting = waiting(harness, MAIL);
    enqueue(mail(harness), "job");
    assertNotAnswered(harness, waiting);

    lease.close();

    assertThat(payloads(join(waiting))).containsExactly("job");
    assertThat(lease.remaining()).isZero();
    assertThat(lease.claim(1, ZERO)).isEqualTo(new QueueClaimResult.StaleLease());
    lease.close();
    assertThat(harness.queues().leaseQueue(MAIL, "next").isDone()).isTrue();
    lease.close();
    assertThat(harness.queues().admin().queueLeases()).hasSize(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void expiry_toTheMillisecond_servesThoseWhoWaitAndTellsTheHolder(StoreKind kind) {
    EngineHarness harness = start(kind);
    QueueLease lease = lease(harness);
    CompletableFuture<List<Lease>> waiting = waiting(harness, MAIL);
    CompletableFuture<QueueClaimResult> own =
        lease.claimAsync(ClaimOptions.by("holder").capacity(1).waiting(ofMinutes(1)));
    enqueue(mail(harness), "heavy", EnqueueOptions.DEFAULT.weight(2));

    advance(harness, ofMillis(4_999));
    assertThat(lease.remaining()).isEqualTo(ofMillis(1));
    assertNotAnswered(harness, waiting);
    assertNotAnswered(harness, own);
    advance(harness, ofMillis(1));

    assertThat(payloads(join(waiting))).containsExactly("heavy");
    assertThat(join(own)).isEqualTo(new QueueClaimResult.StaleLease());
    assertThat(lease.remaining()).isZero();
    assertThat(lease.extend(ofSeconds(5))).isEqualTo(new QueueExtendResult.StaleLease());
    assertThatThrownBy(() -> lease.extend(ofSeconds(5)).orThrow())
        .isInstanceOf(LeaseLostException.class)
        .hasMessage("extend was not done: the lease on the queue is over; lease it again to go on");
    assertThat(harness.queues().admin().queueLeases()).isEmpty();
  }

  @Test
  void claim_throughALeaseThatIsOver_takesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "job");
    QueueLease lease = lease(harness);
    advance(harness, ofSeconds(5));

    QueueClaimResult late = lease.claim(1, ofSeconds(9));

    assertThat(late.isDone()).isFalse();
    assertThatThrownBy(late::orThrow)
        .isInstanceOf(LeaseLostException.class)
        .hasMessage("claim was not done: the lease on the queue is over; lease it again to go on");
    assertThat(claim(mail(harness)).attempt()).isEqualTo(1);
  }

  @Test
  void claim_throughALeaseOfAnEarlierHolder_takesNothingFromTheNext() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "job");
    QueueLease first = lease(harness);
    advance(harness, ofSeconds(5));
    QueueLease second = lease(harness);

    QueueClaimResult late = first.claim(1, ZERO);
    QueueExtendResult extended = first.extend(ofSeconds(5));
    first.close();

    assertThat(late).isEqualTo(new QueueClaimResult.StaleLease());
    assertThat(extended).isEqualTo(new QueueExtendResult.StaleLease());
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(payloads(claimed(second))).containsExactly("job");
  }

  @Test
  void claim_throughTheLease_waitsAndIsServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueLease lease = lease(harness);
    CompletableFuture<List<Lease>> others = waiting(harness, MAIL);
    CompletableFuture<QueueClaimResult> own =
        lease.claimAsync(ClaimOptions.by("holder").waiting(ofSeconds(3)));

    enqueue(mail(harness), "job");

    assertThat(payloads(join(own).orThrow())).containsExactly("job");
    assertNotAnswered(harness, others);
  }

  @Test
  void claim_throughTheLeaseWithoutAJob_isEmptyWhenItsWaitIsOver() {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueLease lease = lease(harness);
    CompletableFuture<QueueClaimResult> own =
        lease.claimAsync(ClaimOptions.by("holder").waiting(ofSeconds(3)));

    advance(harness, ofSeconds(3));

    assertThat(join(own)).isEqualTo(new QueueClaimResult.Claimed(List.of()));
  }

  @Test
  void extend_shorterThanWhatIsLeft_changesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueLease lease = lease(harness);
    advance(harness, ofSeconds(1));

    QueueExtendResult shorter = lease.extend(ofSeconds(2));
    QueueExtendResult longer = lease.extend(ofSeconds(9));

    assertThat(shorter).isEqualTo(new QueueExtendResult.Extended(ofSeconds(4)));
    assertThat(longer).isEqualTo(new QueueExtendResult.Extended(ofSeconds(9)));
    assertThat(longer.orThrow().remaining()).isEqualTo(lease.remaining());
    advance(harness, ofMillis(8_999));
    assertThat(claimed(lease)).isEmpty();
    advance(harness, ofMillis(1));
    assertThat(lease.claim(1, ZERO).isDone()).isFalse();
  }

  @Test
  void lease_ofAQueueThatIsUnloadedDeletedAndPaused_holdsOn() {
    EngineHarness harness = start(StoreKind.MEMORY, UNLOADING);
    QueueLease lease = harness.queues().leaseQueue(MAIL, "holder", ofMinutes(20)).orThrow();
    enqueue(mail(harness), "deleted");
    advance(harness, ofMinutes(5));
    assertThat(claim(mail(harness), 1)).isEmpty();
    mail(harness).delete();
    enqueue(mail(harness), "job");
    mail(harness).pause();
    List<Lease> whilePaused = claimed(lease);
    mail(harness).resume();
    advance(harness, ofMinutes(5));

    assertThat(whilePaused).isEmpty();
    assertThat(claim(mail(harness), 1)).isEmpty();
    assertThat(payloads(claimed(lease))).containsExactly("job");
  }

  @InProcess("what a server tells of a lease on a queue is equal to itself alone")
  @Test
  void stats_ofALeasedQueue_tellWhoHasItUntilWhen() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "job");
    Instant since = now(harness);
    lease(harness);
    harness.queues().leaseQueue(QueueName.of("a"), "first", ofSeconds(7)).orThrow();
    advance(harness, ofSeconds(1));

    List<LeasedQueue> all = harness.queues().admin().queueLeases();
    LeasedQueue shown = mail(harness).stats().orElseThrow().leasedBy().orElseThrow();

    assertThat(all).extracting(LeasedQueue::queue).containsExactly(QueueName.of("a"), MAIL);
    assertThat(all.get(1)).isEqualTo(shown);
    assertThat(shown.worker()).isEqualTo("holder");
    assertThat(shown.since()).isEqualTo(since);
    assertThat(shown.until()).isEqualTo(since.plusSeconds(5));
    assertThat(harness.engine().metrics().queueLeaseCount()).isEqualTo(2);
  }

  @Test
  void endQueueLease_byAnOperator_servesThoseWhoWait() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "job");
    QueueLease lease = lease(harness);
    CompletableFuture<List<Lease>> waiting = waiting(harness, MAIL);
    assertNotAnswered(harness, waiting);

    boolean wasThere = harness.queues().admin().endQueueLease(MAIL);

    assertThat(wasThere).isTrue();
    assertThat(payloads(join(waiting))).containsExactly("job");
    assertThat(lease.claim(1, ZERO).isDone()).isFalse();
    assertThat(harness.queues().admin().endQueueLease(MAIL)).isFalse();
  }

  @Test
  void leaseQueue_asManyAsMayBe_oneMoreIsRefusedAndMemoryIsFreeAgain() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < Limits.QUEUE_LEASE_COUNT_MAX; i++) {
      assertThat(harness.queues().leaseQueue(QueueName.of("q" + i), "w").isDone()).isTrue();
    }

    assertThatThrownBy(() -> harness.queues().leaseQueue(MAIL, "w"))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessage(
            "too many queues are leased as a whole: most=10000, queue=mail; nothing happened;"
                + " close leases that nobody needs, or let them end");
    harness.clock().advanceMs(5_000);
    harness.awaitNothingDue();

    assertThat(harness.engine().metrics().queueLeaseCount()).isZero();
    assertThat(harness.queues().leaseQueue(MAIL, "w").isDone()).isTrue();
  }

  @Test
  void leaseQueue_wrongInput_namesItAndNothingHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThatThrownBy(() -> harness.queues().leaseQueue(MAIL, "w", ofMillis(99)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("duration is out of range: value=PT0.099S, least=PT0.1S, most=PT168H");
    assertThatThrownBy(() -> harness.queues().leaseQueue(MAIL, "", ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("worker has a length out of range: value=\"\"");
    QueueLease lease = lease(harness);
    assertThatThrownBy(() -> lease.extend(ofMinutes(7 * 24 * 60 + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("duration is out of range");
    assertThatThrownBy(() -> lease.claim(0, ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max is out of range: value=0, least=1, most=10000");
    assertThat(lease.remaining()).isEqualTo(ofSeconds(5));
  }

  @ParameterizedTest
  @EachStoreKind
  void restart_leasedQueue_isFreeAndTheOldLeaseIsNoMore(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "job");
    QueueLease lease = lease(harness);

    harness.restartCleanly();

    assertThat(harness.queues().admin().queueLeases()).isEmpty();
    assertThat(payloads(claim(mail(harness), 1))).containsExactly("job");
    assertThatThrownBy(() -> lease.claim(1, ZERO))
        .isInstanceOf(io.millrace.api.EngineClosedException.class);
    lease.close();
  }

  @Test
  void wallClock_isSetWhileAQueueIsLeased_changesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueLease lease = lease(harness);

    harness.clock().stepWallMs(86_400_000);
    advance(harness, ofMillis(4_999));
    assertThat(lease.claim(1, ZERO).isDone()).isTrue();
    harness.clock().stepWallMs(-2 * 86_400_000);
    assertThat(lease.claim(1, ZERO).isDone()).isTrue();
    advance(harness, ofMillis(1));

    assertThat(lease.claim(1, ZERO).isDone()).isFalse();
  }

  @Test
  void jobs_deadOrDelayed_ofALeasedQueueGoOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "later", EnqueueOptions.DEFAULT.delay(ofSeconds(2)));
    QueueLease lease = lease(harness);
    CompletableFuture<QueueClaimResult> own =
        lease.claimAsync(ClaimOptions.by("holder").waiting(ofSeconds(4)));

    advance(harness, ofSeconds(2));

    Lease job = join(own).orThrow().get(0);
    assertThat(new String(job.payload(), UTF_8)).isEqualTo("later");
    assertThat(job.release().isDone()).isTrue();
    assertThat(claim(mail, 1)).isEmpty();
    assertThat(payloads(claimed(lease))).containsExactly("later");
  }
}
