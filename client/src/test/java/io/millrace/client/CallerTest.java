package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DrainResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.api.Wake;
import io.millrace.protocol.Granted;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Outcomes of calls that are interrupted, are given up, or fail. */
@Timeout(60)
class CallerTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final ClaimOptions LONG = ClaimOptions.by("w").waiting(Duration.ofHours(1));
  private static final Granted GRANTED =
      new Granted(
          new JobId(4655611904L, 576460752303423488L),
          7,
          MAIL,
          "mail",
          new byte[0],
          Map.of(),
          1,
          20,
          0,
          1,
          "w",
          Instant.EPOCH,
          Duration.ofSeconds(30),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new Wake.First());
  private static final LeaseRef REF = new LeaseRef(GRANTED.jobId(), GRANTED.token());
  private static final LeaseCalls.Fail CLOSED =
      new LeaseCalls.Fail(List.of(REF), Lease.CLOSED_ERROR, FailOptions.RETRY, Optional.empty());

  private final StagedCalls calls = new StagedCalls();
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
  private final TestQueues queues = new TestQueues(Caller.of(calls, nowNs::get));

  @AfterEach
  void clearInterruptStatus() {
    Thread.interrupted();
  }

  private Lease lease() {
    calls.next(CompletableFuture.completedFuture(new LeaseCalls.Claim.Answer(List.of(GRANTED))));
    Lease lease = queues.queue(MAIL).claim(LONG).get(0);
    calls.made().clear();
    return lease;
  }

  private <T> CompletableFuture<T> never() {
    CompletableFuture<T> never = new CompletableFuture<>();
    calls.next(never);
    return never;
  }

  private void fail(Throwable thrown) {
    calls.next(CompletableFuture.failedFuture(thrown));
  }

  private void died() {
    calls.next(
        CompletableFuture.completedFuture(
            new LeaseCalls.Fail.Answer(List.of(new FailResult.Died()))));
  }

  @Test
  void claim_interrupted_endsTheCallAndReturnsNothing() {
    CompletableFuture<Object> call = never();
    Thread.currentThread().interrupt();

    assertThat(queues.queue(MAIL).claim(LONG)).isEmpty();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(call).isCancelled();
  }

  @Test
  void claim_answeredAlready_isGivenToWhoIsInterrupted() {
    calls.next(CompletableFuture.completedFuture(new LeaseCalls.Claim.Answer(List.of(GRANTED))));
    Thread.currentThread().interrupt();

    assertThat(queues.queue(MAIL).claim(LONG)).hasSize(1);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void claimAsync_answeredAfterItWasCancelled_handsTheJobsBack() {
    CompletableFuture<LeaseCalls.Claim.Answer> tooLate =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return false;
          }
        };
    calls.next(tooLate);
    CompletableFuture<List<Lease>> claim = queues.claimAsync(List.of(MAIL), LONG);

    queues.endWait(claim);
    tooLate.complete(new LeaseCalls.Claim.Answer(List.of(GRANTED)));

    assertThat(claim).isCancelled();
    assertThat(calls.made())
        .last()
        .isEqualTo(new LeaseCalls.Release(List.of(REF), Optional.empty(), Optional.empty()));
  }

  @Test
  void queueLeaseClaim_interrupted_endsTheCallAndReturnsNothing() {
    calls.next(
        CompletableFuture.completedFuture(
            new QueueCalls.LeaseQueue.Granted(7, Duration.ofSeconds(5))));
    QueueLease lease = queues.leaseQueue(MAIL, "w").orThrow();
    CompletableFuture<Object> call = never();
    Thread.currentThread().interrupt();

    assertThat(lease.claim(LONG).orThrow()).isEmpty();
    assertThat(call).isCancelled();
  }

  @Test
  void change_interrupted_hasAnUnknownOutcomeAndIsCarriedOut() {
    CompletableFuture<Object> call = never();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> queues.queue(MAIL).pause())
        .isExactlyInstanceOf(OutcomeUnknownException.class)
        .hasMessage(
            "interrupted while waiting for the answer; the request may still be carried out");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(call).isNotDone();
  }

  @Test
  void read_interrupted_waitsForTheAnswerAndKeepsTheStatus() {
    CompletableFuture<ReadCalls.Now.Answer> call = never();
    Thread.currentThread().interrupt();
    CompletableFuture.runAsync(() -> call.complete(new ReadCalls.Now.Answer(Instant.EPOCH)));

    assertThat(queues.now()).isEqualTo(Instant.EPOCH);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void drain_interruptedWhileItWaits_saysHowFarItIs() {
    calls.next(
        CompletableFuture.completedFuture(new QueueCalls.Drain.Answer(DrainResult.DRAINING)));
    Thread.currentThread().interrupt();

    assertThat(queues.queue(MAIL).drain(Duration.ofHours(1))).isEqualTo(DrainResult.DRAINING);
    assertThat(calls.made()).hasSize(1);
  }

  @Test
  void drain_ofALongTime_asksInSteps() {
    for (DrainResult each :
        List.of(DrainResult.DRAINING, DrainResult.DRAINING, DrainResult.EMPTY)) {
      calls.next(CompletableFuture.completedFuture(new QueueCalls.Drain.Answer(each)));
    }

    assertThat(queues.queue(MAIL).drain(Duration.ofHours(1))).isEqualTo(DrainResult.EMPTY);
    assertThat(calls.made())
        .map(call -> ((QueueCalls.Drain) call).waiting())
        .containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  @Test
  void failure_ofAnError_isThrownItself() {
    AssertionError error = new AssertionError("broken");
    fail(error);

    assertThatThrownBy(queues::verify).isSameAs(error);
  }

  @Test
  void close_afterAnEndThatFailed_failsTheJob() {
    Lease lease = lease();
    fail(new EngineOverloadedException("too much"));
    assertThat(lease.completeAsync()).isCompletedExceptionally();
    died();

    lease.close();

    assertThat(calls.made()).hasSize(2).last().isEqualTo(CLOSED);
  }

  @Test
  void close_afterAnEndThatIsUnderWay_doesNothing() {
    Lease lease = lease();
    var underWay = lease.completeAsync();

    lease.close();

    assertThat(underWay).isNotDone();
    assertThat(calls.made()).hasSize(1);
  }

  @Test
  void close_afterAnEndWhoseCallerWasInterrupted_failsTheJobWithoutWaiting() {
    Lease lease = lease();
    Thread.currentThread().interrupt();
    assertThatThrownBy(lease::complete).isInstanceOf(OutcomeUnknownException.class);
    assertThatThrownBy(() -> queues.releaseAll(List.of(lease)))
        .isInstanceOf(OutcomeUnknownException.class);

    lease.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls.made()).hasSize(3).last().isEqualTo(CLOSED);
  }

  @Test
  void close_thatCannotBeCarriedOut_doesNotThrowAndTriesAgain() {
    Lease lease = lease();
    fail(new EngineClosedException("server is closed"));
    lease.close();
    died();
    lease.close();
    lease.close();

    assertThat(calls.made()).containsExactly(CLOSED, CLOSED);
  }

  @Test
  void closeOfAQueueLease_thatCannotBeCarriedOut_doesNotThrowAndTriesAgain() {
    calls.next(
        CompletableFuture.completedFuture(
            new QueueCalls.LeaseQueue.Granted(7, Duration.ofSeconds(5))));
    QueueLease lease = queues.leaseQueue(MAIL, "w").orThrow();
    fail(new EngineClosedException("server is closed"));
    lease.close();
    assertThat(lease.remaining()).isPositive();
    calls.next(CompletableFuture.completedFuture(new QueueCalls.CloseQueueLease.Answer()));
    lease.close();
    lease.close();

    assertThat(lease.remaining()).isZero();
    assertThat(calls.made()).hasSize(3);
  }

  @Test
  void remaining_ofALease_runsFromEachAnswer() {
    Lease lease = lease();
    assertThat(lease.remaining()).isEqualTo(GRANTED.remaining());

    nowNs.addAndGet(Duration.ofSeconds(10).toNanos());
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(20));

    ExtendResult extended = new ExtendResult.Extended(Duration.ofSeconds(60), true);
    calls.next(CompletableFuture.completedFuture(new LeaseCalls.Extend.Answer(List.of(extended))));
    assertThat(lease.extend(Duration.ofSeconds(60))).isEqualTo(extended);
    nowNs.addAndGet(Duration.ofSeconds(25).toNanos());
    assertThat(lease.with(Durability.SYNCED).remaining()).isEqualTo(Duration.ofSeconds(35));
    assertThat(lease.cancelRequested()).isTrue();

    nowNs.addAndGet(Duration.ofSeconds(36).toNanos());
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void lease_thatIsNamed_isAskedForAtTheFirstLookAlone() {
    Lease lease = queues.lease(GRANTED.jobId(), GRANTED.token());
    assertThat(lease.jobId()).isEqualTo(GRANTED.jobId());
    assertThat(calls.made()).isEmpty();
    nowNs.addAndGet(Duration.ofSeconds(10).toNanos());
    calls.next(CompletableFuture.completedFuture(new LeaseCalls.LookAtLease.Answer(GRANTED)));

    assertThat(lease.attempt()).isEqualTo(1);
    nowNs.addAndGet(Duration.ofSeconds(10).toNanos());
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(20));
    assertThat(calls.made()).containsExactly(new LeaseCalls.LookAtLease(REF));
  }

  @Test
  void remaining_ofAQueueLease_runsFromEachAnswer() {
    calls.next(
        CompletableFuture.completedFuture(
            new QueueCalls.LeaseQueue.Granted(7, Duration.ofSeconds(5))));
    QueueLease lease = queues.leaseQueue(MAIL, "w").orThrow();
    nowNs.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(3));

    QueueExtendResult extended = new QueueExtendResult.Extended(Duration.ofSeconds(9));
    calls.next(CompletableFuture.completedFuture(new QueueCalls.ExtendQueueLease.Answer(extended)));
    assertThat(lease.extend(Duration.ofSeconds(9))).isEqualTo(extended);
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(9));

    calls.next(
        CompletableFuture.completedFuture(new QueueCalls.ClaimLeased.Answer(List.of(), true)));
    assertThat(lease.claim(LONG)).isEqualTo(new QueueClaimResult.StaleLease());
    assertThat(lease.remaining()).isZero();
  }
}
