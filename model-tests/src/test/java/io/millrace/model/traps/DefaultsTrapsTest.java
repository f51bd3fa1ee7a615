package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DrainResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.FailResult;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who says nothing loses no work: attempts last for hours, and nothing is dropped unseen. */
@Tag("calls")
class DefaultsTrapsTest extends TrapTest {

  private static final byte[] PAYLOAD = "payload".getBytes(UTF_8);

  private static Instant now(EngineHarness harness) {
    return Instant.ofEpochMilli(harness.clock().epochMs());
  }

  /** Fails the queue's next job; answers how long it has to wait. */
  private static Duration failNext(EngineHarness harness) {
    FailResult result = claim(mail(harness)).fail("broken").orThrow();
    assertThat(result).isInstanceOf(FailResult.Retried.class);
    return Duration.between(now(harness), ((FailResult.Retried) result).visibleAt());
  }

  @Test
  void job_thatSaysNothing_isTriedTwentyTimesOverEightHours() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Duration total = Duration.ZERO;
    for (int attempt = 1; attempt < 20; attempt++) {
      Duration wait = failNext(harness);

      double exactS = Math.min(3_600, Math.pow(2, attempt - 1));
      assertThat(wait.toMillis() / 1_000.0)
          .as("wait after attempt %d", attempt)
          .isBetween(0.8 * exactS - 0.002, Math.min(3_600, 1.2 * exactS) + 0.002);
      assertThat(job(harness.queues(), id).attempts()).isEqualTo(attempt);
      total = total.plus(wait);
      advance(harness, wait);
    }

    assertThat(total).isBetween(ofHours(7), ofHours(9));
    assertThat(claim(mail(harness)).fail("broken")).isInstanceOf(FailResult.Died.class);
    assertThat(job(harness.queues(), id).attempts()).isEqualTo(20);
    assertThat(job(harness.queues(), id).maxAttempts()).isEqualTo(20);
    assertThat(job(harness.queues(), id).backoff()).isEqualTo(Backoff.DEFAULT);
    assertClean(harness);
  }

  @Test
  void claim_thatSaysNothing_takesOneJobForThirtySecondsAndNeverWaits() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    ClaimOptions silent = ClaimOptions.by("worker");

    List<Lease> leases = mail(harness).claim(silent);

    assertThat(leases).extracting(Lease::worker).containsExactly("worker");
    assertThat(leases).extracting(Lease::remaining).containsExactly(ofSeconds(30));
    assertThat(mail(harness).claim(silent)).hasSize(1);
    assertThat(mail(harness).claim(silent)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 20})
  void lease_eachAttempt_tellsWhetherItIsTheLast(int maxAttempts) {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions options = EnqueueOptions.DEFAULT.backoff(Backoff.fixed(Duration.ZERO));
    enqueue(mail(harness), "a", maxAttempts == 20 ? options : options.maxAttempts(maxAttempts));

    for (int attempt = 1; attempt <= maxAttempts; attempt++) {
      Lease lease = claim(mail(harness));
      assertThat(lease.attempt()).isEqualTo(attempt);
      assertThat(lease.maxAttempts()).isEqualTo(maxAttempts);
      assertThat(lease.isLastAttempt()).isEqualTo(attempt == maxAttempts);
      lease.fail("broken").orThrow();
    }

    assertThat(claim(mail(harness), 1)).isEmpty();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.DEAD)).isEqualTo(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void retry_changedLive_holdsForJobsThatAreThereAndNotForThoseWithTheirOwn(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId silent = enqueue(mail(harness), "silent", EnqueueOptions.DEFAULT.priority(2));
    JobId own =
        enqueue(
            mail(harness),
            "own",
            EnqueueOptions.DEFAULT.priority(1).maxAttempts(3).backoff(Backoff.fixed(ofSeconds(7))));
    JobId half = enqueue(mail(harness), "half", EnqueueOptions.DEFAULT.maxAttempts(3));
    Backoff slow = Backoff.fixed(ofSeconds(100));

    mail(harness).configure(settings -> settings.retry(2, slow));
    harness.crash();

    assertThat(job(harness.queues(), silent).maxAttempts()).isEqualTo(2);
    assertThat(job(harness.queues(), silent).backoff()).isEqualTo(slow);
    assertThat(job(harness.queues(), own).maxAttempts()).isEqualTo(3);
    assertThat(job(harness.queues(), own).backoff()).isEqualTo(Backoff.fixed(ofSeconds(7)));
    assertThat(job(harness.queues(), half).maxAttempts()).isEqualTo(3);
    assertThat(job(harness.queues(), half).backoff()).isEqualTo(slow);
    assertThat(failNext(harness)).isEqualTo(ofSeconds(100));
    assertThat(failNext(harness)).isEqualTo(ofSeconds(7));
    assertThat(failNext(harness)).isEqualTo(ofSeconds(100));
    advance(harness, ofSeconds(100));
    Lease second = claim(mail(harness));
    assertThat(second.jobId()).isEqualTo(silent);
    assertThat(second.isLastAttempt()).isTrue();
    assertThat(second.fail("broken")).isInstanceOf(FailResult.Died.class);
    assertThat(failNext(harness)).isEqualTo(ofSeconds(7));
    assertClean(harness);
  }

  @Test
  void retry_raisedWhileTheLastAttemptRuns_jobIsTriedAgain() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.retry(1, Backoff.fixed(ofSeconds(5))));
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    assertThat(lease.isLastAttempt()).isTrue();

    mail(harness).configure(settings -> settings.retry(2, Backoff.fixed(ofSeconds(9))));

    assertThat(lease.maxAttempts()).as("as it was when it was granted").isEqualTo(1);
    assertThat(lease.fail("broken")).isEqualTo(new FailResult.Retried(now(harness).plusSeconds(9)));
    advance(harness, ofSeconds(9));
    assertThat(claim(mail(harness)).isLastAttempt()).isTrue();
  }

  @Test
  void retry_loweredBelowWhatAJobHasUsed_nextFailureIsItsLast() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.retry(9, Backoff.fixed(Duration.ZERO)));
    JobId id = enqueue(mail(harness), "a");
    failNext(harness);
    failNext(harness);
    failNext(harness);

    mail(harness).configure(settings -> settings.retry(2, Backoff.fixed(Duration.ZERO)));

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertThat(claim(mail(harness)).fail("broken")).isInstanceOf(FailResult.Died.class);
    assertThat(job(harness.queues(), id).attempts()).isEqualTo(4);
    assertClean(harness);
  }

  @Test
  void retry_ofTheQueue_holdsForLeasesThatRunOut() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    mail(harness).configure(settings -> settings.retry(1, Backoff.DEFAULT));

    advance(harness, LEASE_OVER);

    awaitJob(harness, id, JobState.DEAD, 1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void close_unfinishedLease_failsTheAttempt(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");

    Lease lease = claim(mail(harness));
    lease.close();
    lease.close();

    Job job = job(harness.queues(), id);
    assertThat(job.state()).isEqualTo(JobState.DELAYED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError()).contains("closed without an outcome");
    assertThat(job.history())
        .extracting(FinishedAttempt::error)
        .containsExactly(Optional.of(Lease.CLOSED_ERROR));
    assertThat(lease.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertClean(harness);
  }

  @Test
  void close_handlerThrows_isThrownAloneAndTheAttemptIsCounted() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.maxAttempts(2));
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(() -> handleBadly(claim(mail(harness))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the handler is broken")
          .hasNoSuppressedExceptions();
      assertThat(job(harness.queues(), id).attempts()).isEqualTo(attempt);
      assertThat(claim(mail(harness), 1)).isEmpty();
      advance(harness, ofSeconds(2));
    }

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DEAD);
    assertThat(mail(harness).stats().orElseThrow().total(QueueStats.Total.DIED)).isEqualTo(1);
  }

  private static void handleBadly(Lease lease) {
    try (lease) {
      throw new IllegalStateException("the handler is broken");
    }
  }

  @Test
  void close_threadInterrupted_keepsTheInterruptAndFailsTheAttempt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    Thread.currentThread().interrupt();
    lease.close();
    final boolean isStillInterrupted = Thread.interrupted();

    assertThat(isStillInterrupted).isTrue();
    awaitJob(harness, id, JobState.DELAYED, 1);
    assertThat(job(harness.queues(), id).lastError()).contains(Lease.CLOSED_ERROR);
  }

  @Test
  void close_cancelWasRequested_removesTheJob() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);

    lease.close();

    assertThat(harness.queues().get(id)).isEmpty();
    assertClean(harness);
  }

  /** Ways in which a lease is over before it is closed. */
  enum Over {
    COMPLETED(lease -> lease.complete().orThrow(), 0),
    FAILED(lease -> lease.fail("broken").orThrow(), 1),
    RELEASED(lease -> lease.release().orThrow(), 0),
    SNOOZED(lease -> lease.snooze(ofSeconds(9)).orThrow(), 0);

    final Function<Lease, Object> end;
    final int attempts;

    Over(Function<Lease, Object> end, int attempts) {
      this.end = end;
      this.attempts = attempts;
    }
  }

  @ParameterizedTest
  @EnumSource(Over.class)
  void close_finishedLease_changesNothing(Over over) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    try (Lease lease = claim(mail(harness))) {
      assertThat(over.end.apply(lease)).isNotNull();
    }

    pokeTwice(harness);
    assertThat(harness.queues().get(id).map(Job::attempts).orElse(0)).isEqualTo(over.attempts);
    assertThat(harness.queues().get(id).flatMap(Job::lastError)).isNotEqualTo(Lease.CLOSED_ERROR);
    assertClean(harness);
  }

  @Test
  void close_lostLease_throwsNothingAndLeavesTheNextHolderAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    Lease lost = claim(mail(harness));
    advance(harness, LEASE_OVER);
    Lease next = claim(mail(harness));

    lost.close();

    assertThat(next.complete()).isEqualTo(CompleteResult.COMPLETED);
    enqueue(mail(harness), "b");
    Lease gone = claim(mail(harness));
    assertThat(mail(harness).delete()).isTrue();
    gone.close();
    assertClean(harness);
  }

  /** Why a queue refuses jobs. */
  enum Refusal {
    FULL {
      @Override
      void cause(JobQueue queue) {
        queue.configure(settings -> settings.depthMax(2));
        enqueue(queue, "first");
      }

      @Override
      EnqueueResult answer(JobQueue queue) {
        return new EnqueueResult.QueueFull(queue.name(), 2);
      }
    },
    DRAINING {
      @Override
      void cause(JobQueue queue) {
        enqueue(queue, "first");
        assertThat(queue.drain(Duration.ZERO)).isEqualTo(DrainResult.DRAINING);
      }

      @Override
      EnqueueResult answer(JobQueue queue) {
        return new EnqueueResult.Draining(queue.name());
      }
    };

    abstract void cause(JobQueue queue);

    abstract EnqueueResult answer(JobQueue queue);

    /** How many more jobs the queue takes. */
    int room() {
      return this == FULL ? 1 : 0;
    }
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void enqueue_refused_throwsWhereOfferAnswers(Refusal refusal) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    refusal.cause(mail);
    for (int i = 0; i < refusal.room(); i++) {
      enqueue(mail, "last");
    }
    final long before = mail.stats().orElseThrow().count(JobState.READY);
    EnqueueResult answer = refusal.answer(mail);
    EnqueueOptions options = EnqueueOptions.DEFAULT;

    assertThat(mail.offer(PAYLOAD, options)).isEqualTo(answer);
    assertThat(join(mail.offerAsync(PAYLOAD, options))).isEqualTo(answer);
    assertRefused(() -> mail.enqueue(PAYLOAD), answer);
    assertRefused(() -> mail.enqueue(PAYLOAD, options), answer);
    assertRefused(() -> mail.enqueue(PAYLOAD, EnqueueOptions.DEFAULT.priority(3)), answer);
    assertRefused(() -> join(mail.enqueueAsync(PAYLOAD, options)), answer);
    assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(before);
  }

  private static void assertRefused(Callable<?> call, EnqueueResult... results) {
    assertThatThrownBy(call::call)
        .isInstanceOfSatisfying(
            EnqueueRefusedException.class,
            refused -> assertThat(refused.results()).containsExactly(results))
        .hasMessageContaining("queue=mail");
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void enqueueAll_partlyRefused_throwsWhereOfferAllAnswersForEach(Refusal refusal) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    refusal.cause(mail);
    List<NewJob> three = Collections.nCopies(3, NewJob.of(PAYLOAD));
    EnqueueResult answer = refusal.answer(mail);

    assertThatThrownBy(() -> mail.enqueueAll(three))
        .isInstanceOfSatisfying(
            EnqueueRefusedException.class,
            refused -> {
              assertThat(refused.results()).hasSize(3);
              for (int i = 0; i < 3; i++) {
                EnqueueResult result = refused.results().get(i);
                assertThat(result.isDone()).isEqualTo(i < refusal.room());
                assertThat(result.isDone() || result.equals(answer)).isTrue();
                if (result instanceof Enqueued enqueued) {
                  assertThat(state(harness.queues(), enqueued.jobId())).isEqualTo(JobState.READY);
                }
              }
            })
        .hasMessageContaining("refused=" + (3 - refusal.room()) + " of 3");

    assertThat(mail.offerAll(three)).containsExactly(answer, answer, answer);
    assertThat(join(mail.offerAllAsync(three))).containsExactly(answer, answer, answer);
    assertRefused(() -> join(mail.enqueueAllAsync(three)), answer, answer, answer);
    assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(1 + refusal.room());
    assertClean(harness);
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 3_000})
  void bytes_handedInAndOut_areEverybodysOwnCopies(int length) {
    EngineHarness harness = start(StoreKind.MEMORY);
    byte[] payload = bytes(length, 1);
    byte[] state = bytes(length, 2);
    byte[] result = bytes(length, 3);
    JobId id =
        mail(harness).enqueue(payload, EnqueueOptions.DEFAULT.resultRetention(ofHours(1))).jobId();
    Arrays.fill(payload, (byte) 9);
    Lease lease = claim(mail(harness));
    lease.checkpoint(state).orThrow();
    Arrays.fill(state, (byte) 9);
    assertOwnCopies(lease::payload, bytes(length, 1));
    assertOwnCopies(() -> lease.checkpointed().orElseThrow(), bytes(length, 2));
    lease.release().orThrow();
    Lease again = claim(mail(harness));
    assertOwnCopies(again::payload, bytes(length, 1));
    assertOwnCopies(() -> again.checkpointed().orElseThrow(), bytes(length, 2));

    again.complete(result).orThrow();
    Arrays.fill(result, (byte) 9);

    Job job = job(harness.queues(), id);
    assertOwnCopies(job::payload, bytes(length, 1));
    assertOwnCopies(() -> job.checkpointed().orElseThrow(), bytes(length, 2));
    assertOwnCopies(() -> job.result().orElseThrow(), bytes(length, 3));
    assertThat(job(harness.queues(), id).payload()).isEqualTo(bytes(length, 1));
  }

  private static byte[] bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static void assertOwnCopies(Supplier<byte[]> told, byte[] expected) {
    byte[] first = told.get();
    assertThat(first).isEqualTo(expected);

    Arrays.fill(first, (byte) 9);

    assertThat(told.get()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 5_000})
  void payload_changedWhileItsJobIsOnTheWay_isStoredAsItWas(int lengthBytes)
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    byte[] payload = new byte[lengthBytes];
    harness.store().holdNextWrite();
    CompletableFuture<Enqueued> first = mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<Enqueued> second = mail.enqueueAsync(payload, EnqueueOptions.DEFAULT);

    Arrays.fill(payload, (byte) 7);
    harness.store().letGo();

    join(first);
    assertThat(job(harness.queues(), join(second).jobId()).payload())
        .isEqualTo(new byte[lengthBytes]);
  }
}
