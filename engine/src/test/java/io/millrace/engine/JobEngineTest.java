package io.millrace.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueStats;
import io.millrace.api.ReleaseResult;
import io.millrace.api.VerifyReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobEngineTest {

  private JobEngine engine;
  private JobQueue mail;

  @BeforeEach
  void open() {
    engine = JobEngine.open("memory:engine-test");
    mail = engine.queue("mail");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void claim_afterEnqueue_givesTheJobOnce() {
    Enqueued enqueued = mail.enqueue("hello".getBytes(UTF_8));

    Lease lease = mail.claim("w1", ofSeconds(10)).orElseThrow();

    assertThat(lease.jobId()).isEqualTo(enqueued.jobId());
    assertThat(lease.payload()).isEqualTo("hello".getBytes(UTF_8));
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(mail.claim("w2", ofSeconds(10))).isEmpty();
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    assertThat(mail.stats().orElseThrow().total(QueueStats.Total.COMPLETED)).isEqualTo(1);
    assertClean();
  }

  @Test
  void claim_severalPriorities_servesTheHighestFirstThenInOrder() {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      jobs.add(new NewJob(new byte[] {(byte) i}, EnqueueOptions.DEFAULT.priority(i % 3 - 1)));
    }
    mail.enqueueAll(jobs);

    List<Lease> leases = mail.claim(ClaimOptions.by("w1").max(100));

    assertThat(leases).hasSize(100);
    for (int i = 1; i < 100; i++) {
      Lease earlier = leases.get(i - 1);
      Lease later = leases.get(i);
      assertThat(earlier.priority()).isGreaterThanOrEqualTo(later.priority());
      if (earlier.priority() == later.priority()) {
        assertThat(earlier.payload()[0]).isLessThan(later.payload()[0]);
      }
    }
    assertThat(engine.completeAll(leases)).containsOnly(CompleteResult.COMPLETED);
    assertClean();
  }

  @Test
  void claim_waiting_isServedByALaterEnqueue() throws Exception {
    CompletableFuture<List<Lease>> waiting =
        mail.claimAsync(ClaimOptions.by("w1").waiting(ofSeconds(30)));

    mail.enqueue(new byte[] {1});

    assertThat(waiting.get(10, TimeUnit.SECONDS)).hasSize(1);
  }

  @Test
  void fail_withAttemptsLeft_isDelayedThenServedAgainAndDeadAtTheEnd() {
    mail.enqueue(new byte[3000], EnqueueOptions.DEFAULT.maxAttempts(2));
    Lease first = mail.claim("w1", ofSeconds(10)).orElseThrow();

    FailResult retried = first.fail("broken", FailOptions.RETRY.delay(ofMillis(20)));

    assertThat(retried).isInstanceOf(FailResult.Retried.class);
    Lease second = mail.claim(ClaimOptions.by("w1").waiting(ofSeconds(10))).get(0);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.payload()).hasSize(3000);
    assertThat(second.lastError()).contains("broken");
    assertThat(second.fail("again")).isInstanceOf(FailResult.Died.class);
    List<Job> dead = mail.deadLetters().list(DeadFilter.ALL, PageRequest.first(10)).items();
    assertThat(dead).hasSize(1);
    assertThat(mail.deadLetters().redriveAll(DeadFilter.ALL)).isEqualTo(1);
    assertThat(mail.claim("w1", ofSeconds(10)).orElseThrow().attempt()).isEqualTo(1);
    assertClean();
  }

  @Test
  void claim_afterLeaseRanOut_givesTheJobAgain() {
    mail.enqueue(new byte[] {1});
    Lease first = mail.claim("w1", ofMillis(100)).orElseThrow();

    Lease second = mail.claim(ClaimOptions.by("w2").waiting(ofSeconds(10))).get(0);

    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(first.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(second.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean();
  }

  @Test
  void release_putsTheJobBackInFront() {
    mail.enqueueAll(List.of(NewJob.of(new byte[] {1}), NewJob.of(new byte[] {2})));
    Lease first = mail.claim("w1", ofSeconds(10)).orElseThrow();

    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);

    Lease again = mail.claim("w1", ofSeconds(10)).orElseThrow();
    assertThat(again.payload()).containsExactly(1);
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(engine.cancelIfWaiting(again.jobId())).isEqualTo(CancelResult.RUNNING);
    assertClean();
  }

  @Test
  void cancel_ofADelayedJob_removesIt() {
    Enqueued later = mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.delay(ofSeconds(100)));
    assertThat(engine.get(later.jobId()).orElseThrow().state()).isEqualTo(JobState.DELAYED);

    assertThat(engine.cancelIfWaiting(later.jobId())).isEqualTo(CancelResult.CANCELLED);

    assertThat(engine.get(later.jobId())).isEmpty();
    assertThat(engine.cancelIfWaiting(later.jobId())).isEqualTo(CancelResult.GONE);
    assertClean();
  }

  private void assertClean() {
    VerifyReport report = engine.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.isClean()).isTrue();
  }
}
