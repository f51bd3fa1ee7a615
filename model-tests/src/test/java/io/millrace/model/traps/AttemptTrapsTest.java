package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueSettings;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Attempts equal the counted starts: not burnt by handing back, not forgotten by expiry or crash;
 * backoffs stay sane.
 */
class AttemptTrapsTest extends TrapTest {

  private static final EnqueueOptions AT_ONCE =
      EnqueueOptions.DEFAULT.backoff(Backoff.fixed(Duration.ZERO)).maxAttempts(3);

  @Test
  void fail_lastAttempt_isDeadWithErrorAndAttempts() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", AT_ONCE);
    Instant now = Instant.ofEpochMilli(harness.clock().epochMs());

    for (int attempt = 1; attempt <= 2; attempt++) {
      Lease lease = claim(mail);
      assertThat(lease.attempt()).isEqualTo(attempt);
      assertThat(lease.fail("broken " + attempt)).isEqualTo(new FailResult.Retried(now));
    }
    assertThat(claim(mail).fail("broken 3")).isEqualTo(new FailResult.Died());

    Job dead = mail.deadLetters().get(id).orElseThrow();
    assertThat(dead.attempts()).isEqualTo(3);
    assertThat(dead.lastError()).contains("broken 3");
    assertThat(dead.diedAt()).contains(now);
    assertThat(claim(mail, 10)).isEmpty();
  }

  @Test
  void fail_forGood_isDeadThoughAttemptsAreLeft() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", AT_ONCE);
    Lease lease = claim(mail);

    FailResult result = lease.fail("no such address", FailOptions.PERMANENT);

    assertThat(result).isEqualTo(new FailResult.Died());
    Job dead = mail.deadLetters().get(id).orElseThrow();
    assertThat(dead.attempts()).isEqualTo(1);
    assertThat(dead.maxAttempts()).isEqualTo(3);
    assertThat(dead.lastError()).contains("no such address");
    assertThat(dead.lease()).isEmpty();
    assertThat(claim(mail, 10)).isEmpty();
  }

  @Test
  void fail_listOfWaits_isGoneThroughAndTheLastOneStays() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Backoff backoff = Backoff.list(ofMinutes(1), ofMinutes(5), ofMinutes(25));
    enqueue(mail, "a", EnqueueOptions.DEFAULT.maxAttempts(5).backoff(backoff));

    for (int minutes : new int[] {1, 5, 25, 25}) {
      Instant again = Instant.ofEpochMilli(harness.clock().epochMs()).plus(ofMinutes(minutes));
      assertThat(claim(mail).fail("broken")).isEqualTo(new FailResult.Retried(again));
      advance(harness, ofMinutes(minutes).minusMillis(1));
      assertThat(claim(mail, 1)).isEmpty();
      advance(harness, Duration.ofMillis(1));
    }

    assertThat(claim(mail).fail("broken")).isEqualTo(new FailResult.Died());
  }

  @Test
  void releaseAndSnooze_manyTimes_burnNoAttempt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", AT_ONCE.maxAttempts(1));
    for (int i = 0; i < 20; i++) {
      Lease lease = claim(mail);
      assertThat(lease.attempt()).isEqualTo(1);
      if (i % 2 == 0) {
        lease.release().orThrow();
      } else {
        lease.snooze(ofSeconds(1)).orThrow();
        advance(harness, ofSeconds(1));
      }
    }
    assertThat(job(harness.queues(), id).attempts()).isZero();
    assertThat(claim(mail).fail("broken")).isEqualTo(new FailResult.Died());
  }

  @ParameterizedTest
  @EachStoreKind
  void expiry_everyTime_countsUntilTheJobIsDeadWithAReason(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", AT_ONCE);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(claim(mail).attempt()).isEqualTo(attempt);
      JobState next = attempt < 3 ? JobState.READY : JobState.DEAD;
      advance(harness, LEASE_OVER);
      awaitJob(harness, id, next, attempt);
    }

    Job dead = mail.deadLetters().get(id).orElseThrow();
    assertThat(dead.attempts()).isEqualTo(3);
    assertThat(dead.lastError().orElseThrow()).isNotBlank();
  }

  @ParameterizedTest
  @EachStoreKind
  void close_whileJobsAreHeld_isNoFailureOfTheirs(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int i = 0; i < 5; i++) {
      enqueue(mail(harness), "a", AT_ONCE.maxAttempts(1));
      claim(mail(harness));

      harness.restartCleanly();

      Lease lease = claim(mail(harness));
      assertThat(lease.attempt()).isEqualTo(1);
      lease.complete().orThrow();
    }
    assertThat(mail(harness).deadLetters().list(DeadFilter.ALL, PageRequest.first(10)).items())
        .isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_everyTimeTheJobRuns_endsInDead(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "poison", AT_ONCE);
    int crashCount = 0;
    while (state(harness.queues(), id) != JobState.DEAD) {
      claim(mail(harness));
      harness.crash();
      crashCount++;
      await("the lease is reclaimed", () -> state(harness.queues(), id) != JobState.LEASED);
      assertThat(crashCount)
          .as("a job that kills its process is counted at the latest the second time")
          .isLessThan(5);
    }

    Job dead = mail(harness).deadLetters().get(id).orElseThrow();
    assertThat(dead.attempts()).isEqualTo(3);
    assertThat(dead.lastError().orElseThrow()).isNotBlank();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_everyTimeTheJobRunsWithCleanStopsBetween_endsInDead(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "killer", EnqueueOptions.DEFAULT.maxAttempts(3));
    int crashCount = 0;

    while (state(harness.queues(), id) != JobState.DEAD && crashCount < 10) {
      claim(mail(harness));
      harness.crash();
      harness.restartCleanly();
      crashCount++;
    }

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DEAD);
    assertThat(crashCount).as("counted at the latest the second time").isLessThanOrEqualTo(4);
    assertThat(job(harness.queues(), id).attempts()).isEqualTo(3);
    assertClean(harness);
  }

  @Test
  void redrive_dead_startsAfresh() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", AT_ONCE);
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();

    mail.deadLetters().redrive(id).orThrow();

    assertThat(job(harness.queues(), id).attempts()).isZero();
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(claim(mail).attempt()).isEqualTo(attempt);
      advance(harness, LEASE_OVER);
      JobState next = attempt < 3 ? JobState.READY : JobState.DEAD;
      awaitJob(harness, id, next, attempt);
    }
  }

  @Test
  void fail_aThousandAttempts_backoffNeitherOverflowsNorExceedsItsMax() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Duration max = Limits.DELAY_MAX;
    Backoff steep = new Backoff.Exponential(ofSeconds(1), Backoff.MULTIPLIER_MAX, max, 0.0);
    JobId id =
        enqueue(
            mail, "a", EnqueueOptions.DEFAULT.backoff(steep).maxAttempts(Limits.MAX_ATTEMPTS_MAX));
    Duration last = Duration.ZERO;
    for (int attempt = 1; attempt < 60; attempt++) {
      Instant now = Instant.ofEpochMilli(harness.clock().epochMs());
      Lease lease = claim(mail);
      FailResult.Retried retried =
          (FailResult.Retried)
              lease.fail(
                  "broken",
                  attempt < 8 ? FailOptions.RETRY : FailOptions.RETRY.delay(ofSeconds(1)));
      Duration wait = Duration.between(now, retried.visibleAt());
      assertThat(wait).isPositive().isLessThanOrEqualTo(max);
      if (attempt < 8) {
        assertThat(wait).isGreaterThanOrEqualTo(last);
        last = wait;
      }
      harness.clock().advanceMs(wait.toMillis());
      harness.poke();
    }
    assertThat(last).isEqualTo(max);
    assertThat(job(harness.queues(), id).attempts()).isEqualTo(59);
  }

  @Test
  void fail_longRunOfAttempts_everyBackoffIsWithinItsBounds() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Backoff backoff = new Backoff.Exponential(ofSeconds(1), 2.0, ofMinutes(10), 0.2);
    enqueue(
        mail, "a", EnqueueOptions.DEFAULT.backoff(backoff).maxAttempts(Limits.MAX_ATTEMPTS_MAX));
    for (int attempt = 1; attempt < Limits.MAX_ATTEMPTS_MAX; attempt++) {
      long nowMs = harness.clock().epochMs();
      FailResult.Retried retried = (FailResult.Retried) claim(mail).fail("broken");
      long waitMs = retried.visibleAt().toEpochMilli() - nowMs;
      double plainMs = Math.min(1_000 * Math.pow(2, attempt - 1), 600_000);
      assertThat((double) waitMs)
          .isBetween(Math.floor(0.8 * plainMs), Math.min(Math.ceil(1.2 * plainMs), 600_000));
      harness.clock().advanceMs(waitMs);
    }
    assertThat(claim(mail).fail("broken")).isEqualTo(new FailResult.Died());
  }

  @Test
  void fail_withJitter_spreadsTheWaits() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Backoff backoff = new Backoff.Linear(ofSeconds(100), Duration.ZERO, ofSeconds(120), 0.5);
    Set<Long> waits = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      enqueue(mail, "a", EnqueueOptions.DEFAULT.backoff(backoff));
      FailResult.Retried retried = (FailResult.Retried) claim(mail).fail("broken");
      waits.add(retried.visibleAt().toEpochMilli() - harness.clock().epochMs());
    }

    assertThat(waits).hasSizeGreaterThan(100);
    assertThat(waits).allSatisfy(wait -> assertThat(wait).isBetween(50_000L, 120_000L));
    assertThat(waits).anySatisfy(wait -> assertThat(wait).isLessThan(75_000L));
    assertThat(waits).anySatisfy(wait -> assertThat(wait).isGreaterThan(110_000L));
  }

  @Test
  void fail_delayBeyondTheBackoffsMax_isCapped() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");

    FailResult result = claim(mail).fail("broken", FailOptions.RETRY.delay(ofDays(2)));

    Instant capped = Instant.ofEpochMilli(harness.clock().epochMs()).plus(ofHours(1));
    assertThat(result).isEqualTo(new FailResult.Retried(capped));
  }

  @Test
  void expiry_queueSetToBackoff_jobWaits() {
    EngineHarness harness = start(StoreKind.MEMORY, Setup.DEFAULT);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.expiry(QueueSettings.Expiry.BACKOFF));
    JobId id = enqueue(mail, "a", EnqueueOptions.DEFAULT.backoff(Backoff.fixed(ofSeconds(7))));
    claim(mail);

    advance(harness, LEASE_OVER);

    awaitJob(harness, id, JobState.DELAYED, 1);
    assertThat(claim(mail, 1)).isEmpty();
    advance(harness, ofSeconds(7));
    assertThat(claim(mail).attempt()).isEqualTo(2);
  }

  @Test
  void fail_hugeError_isCutAndKept() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");

    claim(mail).fail("é".repeat(1_000_000), FailOptions.PERMANENT).orThrow();

    assertThat(job(harness.queues(), id).lastError())
        .contains("é".repeat(Limits.ERROR_BYTES_MAX / 2));
  }
}
