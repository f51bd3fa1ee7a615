package io.millrace.model;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.ReleaseResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The model is plain, but a model that is wrong proves nothing. */
class ReferenceModelTest {

  private static final long START_MS = 1_000_000;
  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName PRINT = QueueName.of("print");
  private static final EnqueueOptions ONCE_A_SECOND =
      EnqueueOptions.DEFAULT.backoff(Backoff.fixed(ofSeconds(1)));

  private final ReferenceModel model = new ReferenceModel(START_MS, new Coverage());

  @Test
  void claim_severalPriorities_servesHigherFirstThenOlder() {
    ModelJob low = enqueue(MAIL, EnqueueOptions.DEFAULT.priority(-1));
    ModelJob first = enqueue(MAIL, EnqueueOptions.DEFAULT);
    ModelJob second = enqueue(PRINT, EnqueueOptions.DEFAULT);
    ModelJob high = enqueue(PRINT, EnqueueOptions.DEFAULT.priority(1));

    List<ModelLease> leases =
        model.claims.claim(List.of(MAIL, PRINT), ClaimOptions.by("w").max(10));

    assertThat(leases).extracting(lease -> lease.job).containsExactly(high, first, second, low);
  }

  @Test
  void release_jobFromTheFront_isServedFirstAgainUncounted() {
    ModelJob first = enqueue(MAIL, EnqueueOptions.DEFAULT);
    enqueue(MAIL, EnqueueOptions.DEFAULT);

    model.holder.release(claim(MAIL));

    assertThat(claim(MAIL))
        .extracting(lease -> lease.job, lease -> lease.attempt)
        .containsExactly(first, 1);
  }

  @Test
  void fail_attemptsLeft_isReadyAtTheBackAfterItsBackoff() {
    ModelJob first = enqueue(MAIL, ONCE_A_SECOND);
    model.holder.fail(claim(MAIL), "boom", FailOptions.RETRY);
    ModelJob second = enqueue(MAIL, EnqueueOptions.DEFAULT);

    assertThat(model.claims.claim(List.of(MAIL), ClaimOptions.by("w").max(2)))
        .extracting(lease -> lease.job)
        .containsExactly(second);
    model.events.advance(999);
    assertThat(model.claims.claim(List.of(MAIL), ClaimOptions.by("w"))).isEmpty();
    model.events.advance(1);
    assertThat(claim(MAIL))
        .extracting(lease -> lease.job, lease -> lease.attempt)
        .containsExactly(first, 2);
  }

  @Test
  void expiry_lastAttempt_isDeadAndItsLeaseStale() {
    ModelJob job = enqueue(MAIL, EnqueueOptions.DEFAULT.maxAttempts(1));
    ModelLease lease = claim(MAIL);

    assertThat(model.events.advance(30_000)).containsExactly(job);

    assertThat(job.state).isEqualTo(JobState.DEAD);
    assertThat(model.holder.complete(lease)).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(model.operator.deleteDead(job.number)).isTrue();
    assertThat(model.holder.complete(lease)).isEqualTo(CompleteResult.GONE);
  }

  @Test
  void enqueue_depthReached_countsAllButLeasedAndDead() {
    model.configure(MAIL, QueueSettings.DEFAULT.depthMax(2));
    enqueue(MAIL, EnqueueOptions.DEFAULT);
    claim(MAIL);
    enqueue(MAIL, EnqueueOptions.DEFAULT);
    enqueue(MAIL, EnqueueOptions.DEFAULT.delay(ofSeconds(5)));

    Optional<ModelJob> third = model.enqueue(MAIL, new byte[0], EnqueueOptions.DEFAULT);

    assertThat(third).isEmpty();
  }

  @Test
  void claim_heavyJobPassedOverSixteenTimes_makesItsWorkerWait() {
    ModelJob heavy = enqueue(MAIL, EnqueueOptions.DEFAULT.weight(5));
    for (int i = 0; i < ClaimOptions.PASSES_MAX + 2; i++) {
      enqueue(MAIL, EnqueueOptions.DEFAULT);
    }
    ClaimOptions small = ClaimOptions.by("w").maxWeight(2);
    for (int i = 0; i < ClaimOptions.PASSES_MAX; i++) {
      assertThat(model.claims.claim(List.of(MAIL), small)).hasSize(1);
    }

    assertThat(model.claims.claim(List.of(MAIL), small)).isEmpty();
    assertThat(model.claims.claim(List.of(MAIL), ClaimOptions.by("other").maxWeight(2))).hasSize(1);
    assertThat(model.claims.claim(List.of(MAIL), ClaimOptions.by("w").maxWeight(5)))
        .extracting(lease -> lease.job)
        .containsExactly(heavy);
    assertThat(model.claims.claim(List.of(MAIL), small)).hasSize(1);
  }

  @Test
  void stepWall_forward_movesInstantsButNeitherDelaysNorLeases() {
    ModelJob relative = enqueue(MAIL, EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    ModelJob absolute =
        enqueue(
            MAIL, EnqueueOptions.DEFAULT.visibleAt(Instant.ofEpochMilli(START_MS).plusSeconds(10)));
    enqueue(PRINT, EnqueueOptions.DEFAULT);
    ModelLease lease = claim(PRINT);

    model.events.stepWall(10_000);

    assertThat(absolute.state).isEqualTo(JobState.READY);
    assertThat(relative.state).isEqualTo(JobState.DELAYED);
    assertThat(model.holder.complete(lease)).isEqualTo(CompleteResult.COMPLETED);
    model.events.advance(10_000);
    assertThat(relative.state).isEqualTo(JobState.READY);
  }

  @Test
  void stepWall_far_isBelievedAfterThirtySecondsThereAlsoBack() {
    model.events.stepWall(Duration.ofDays(1).toMillis());
    model.events.advance(29_999);
    assertThat(model.time.nowMs()).isEqualTo(START_MS + 29_999);
    model.events.advance(1);
    assertThat(model.time.nowMs()).isEqualTo(model.time.wallMs());

    model.events.stepWall(-Duration.ofDays(1).toMillis());
    model.events.advance(30_000);
    assertThat(model.time.nowMs()).isEqualTo(model.time.wallMs() + 1_000);
  }

  @Test
  void stepWall_back_engineTimeRunsAtHalfSpeedUntilTheyMeet() {
    model.events.stepWall(-1_000);

    model.events.advance(500);
    assertThat(model.time.nowMs()).isEqualTo(START_MS + 250);
    model.events.advance(1_500);
    assertThat(model.time.nowMs()).isEqualTo(START_MS + 1_000);
    assertThat(model.time.isAheadOfWall()).isFalse();
    model.events.advance(10);
    assertThat(model.time.nowMs()).isEqualTo(START_MS + 1_010);
  }

  @Test
  void restart_wallFarBehind_engineTimeIsAtMostASecondAhead() {
    model.events.stepWall(-60_000);

    model.events.restart(true, LeasesAtOpen.RECLAIM);

    assertThat(model.time.nowMs()).isEqualTo(START_MS - 59_000);
  }

  @Test
  void restart_leased_cleanHandsBackUncleanCountsHonouredStays() {
    ModelJob job = enqueue(MAIL, EnqueueOptions.DEFAULT.maxAttempts(5));
    claim(MAIL);
    model.events.restart(true, LeasesAtOpen.RECLAIM);
    assertThat(job.attempts).isZero();
    claim(MAIL);
    model.events.restart(false, LeasesAtOpen.RECLAIM);
    assertThat(job.state).isEqualTo(JobState.READY);
    assertThat(job.attempts).isEqualTo(1);
    ModelLease lease = claim(MAIL);
    model.events.advance(20_000);
    model.events.restart(false, LeasesAtOpen.HONOUR);
    model.events.advance(29_999);
    assertThat(model.holder.release(lease)).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void adoptReadyOrder_leasesThatEndedTogether_takesTheEnginesOrderAmongThemOnly() {
    ModelJob first = enqueue(MAIL, EnqueueOptions.DEFAULT);
    ModelJob second = enqueue(MAIL, EnqueueOptions.DEFAULT);
    model.claims.claim(List.of(MAIL), ClaimOptions.by("w").max(2));
    ModelJob third = enqueue(MAIL, EnqueueOptions.DEFAULT);
    model.events.advance(30_000);

    model.events.adoptReadyOrder(MAIL, job -> List.of(second, first, third).indexOf(job));

    assertThat(model.jobs(MAIL, JobState.READY)).containsExactly(third, second, first);
  }

  @Test
  void isOrderOpen_jobsOfTwoQueuesBecameReadyTogether_isTrueUntilOneIsTaken() {
    enqueue(MAIL, EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    enqueue(PRINT, EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    model.events.advance(1_000);

    assertThat(model.claims.isOrderOpen(List.of(MAIL, PRINT))).isTrue();
    claim(MAIL);
    assertThat(model.claims.isOrderOpen(List.of(MAIL, PRINT))).isFalse();
  }

  @Test
  void waitMs_everyKind_growsUpToItsMax() {
    Backoff exponential = new Backoff.Exponential(ofSeconds(1), 2.0, ofSeconds(6), 0.0);
    Backoff linear = new Backoff.Linear(ofSeconds(2), ofSeconds(3), ofSeconds(7), 0.0);
    Backoff list = Backoff.list(ofSeconds(1), ofSeconds(25), ofSeconds(5));

    assertThat(waits(exponential)).containsExactly(1_000L, 2_000L, 4_000L, 6_000L);
    assertThat(waits(linear)).containsExactly(2_000L, 5_000L, 7_000L, 7_000L);
    assertThat(waits(list)).containsExactly(1_000L, 25_000L, 5_000L, 5_000L);
    assertThat(ModelBackoff.waitMs(exponential, 1_000)).isEqualTo(6_000);
    assertThat(ModelBackoff.waitMs(exponential, 1, FailOptions.RETRY.delay(ofSeconds(60))))
        .isEqualTo(6_000);
  }

  @Test
  void cut_longError_keepsWholeCharacters() {
    String error = "x" + "\uD83D\uDE82".repeat(2_000);

    String kept = ModelRules.cut(error);

    assertThat(kept.getBytes(StandardCharsets.UTF_8)).hasSize(Limits.ERROR_BYTES_MAX - 3);
    assertThat(error).startsWith(kept);
  }

  private static List<Long> waits(Backoff backoff) {
    return List.of(1, 2, 3, 4).stream()
        .map(attempt -> ModelBackoff.waitMs(backoff, attempt))
        .toList();
  }

  private ModelJob enqueue(QueueName queue, EnqueueOptions options) {
    return model.enqueue(queue, new byte[0], options).orElseThrow();
  }

  private ModelLease claim(QueueName queue) {
    return model.claims.claim(List.of(queue), ClaimOptions.by("w")).get(0);
  }
}
