package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.Result;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A job tells what became of its newest attempts, for as long as it is there. */
class HistoryTrapsTest extends TrapTest {

  private static final EnqueueOptions OFTEN =
      EnqueueOptions.DEFAULT.maxAttempts(100).backoff(Backoff.fixed(Duration.ZERO));

  @Test
  void history_attemptsThatCount_areToldWithTimesWorkerAndError() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", OFTEN);
    Instant start = Instant.ofEpochMilli(harness.clock().epochMs());
    Lease failed = claim(mail);
    advance(harness, ofSeconds(2));
    failed.fail("broken").orThrow();
    claim(mail).release().orThrow();
    claim(mail).snooze(Duration.ZERO).orThrow();
    claim(mail);
    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.READY, 2);

    assertThat(job(harness.queues(), id).history())
        .containsExactly(
            new FinishedAttempt(1, start, start.plusSeconds(2), "worker", Optional.of("broken")),
            new FinishedAttempt(
                2,
                start.plusSeconds(2),
                start.plusSeconds(2).plus(LEASE_OVER),
                "worker",
                Optional.of("lease expired: worker=worker, attempt=2")));
    assertThat(mail.peek(JobState.READY, PageRequest.first(1)).items())
        .extracting(Job::history)
        .containsExactly(List.of());
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void history_moreAttemptsThanAreKept_holdsTheNewestAlsoAcrossARedrive(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", OFTEN.maxAttempts(20));
    for (int i = 1; i <= 20; i++) {
      claim(mail).fail("error " + i).orThrow();
    }
    assertThat(errors(mail.deadLetters().get(id).orElseThrow()))
        .isEqualTo(IntStream.rangeClosed(5, 20).mapToObj(i -> "error " + i).toList());
    mail.deadLetters().redrive(id).orThrow();
    claim(mail).fail("error 21").orThrow();

    Job job = job(harness.queues(), id);

    assertThat(errors(job))
        .isEqualTo(IntStream.rangeClosed(6, 21).mapToObj(i -> "error " + i).toList());
    assertThat(job.history().get(15).attempt()).isEqualTo(1);
    assertThat(job.attempts()).isEqualTo(1);
    assertClean(harness);
  }

  @Test
  void history_longError_isCut() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", OFTEN);

    claim(mail).fail("é".repeat(5_000), FailOptions.PERMANENT).orThrow();

    assertThat(errors(job(harness.queues(), id))).containsExactly("é".repeat(2_048));
  }

  @Test
  void history_processDies_tellsWhyTheAttemptEnded() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", OFTEN.maxAttempts(1));
    claim(mail);
    enqueue(harness.queues().queue("other"), "flush");

    harness.crash();

    assertThat(errors(job(harness.queues(), id)))
        .containsExactly("process ended: worker=worker, attempt=1");
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DEAD);
    assertClean(harness);
  }

  @Test
  void history_jobIsKeptForItsResult_endsWithTheAttemptThatSucceeded() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", OFTEN.resultRetention(ofSeconds(10)));
    claim(mail).fail("broken").orThrow();
    claim(mail).complete().orThrow();

    Job job = job(harness.queues(), id);

    assertThat(job.history())
        .extracting(FinishedAttempt::error)
        .containsExactly(Optional.of("broken"), Optional.empty());
    assertThat(job.lastError()).isEmpty();
    assertThat(job.attempts()).isEqualTo(2);
    assertClean(harness);
  }

  @Test
  @Tag("slow")
  void completeAll_moreRowsThanOneCommitHolds_isRefusedAndNothingHappened() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.enqueueAll(Collections.nCopies(7_400, new NewJob(new byte[1], OFTEN)));
    List<Lease> leases = claim(mail, 7_400);
    for (int i = 0; i < 16; i++) {
      FailOptions again = FailOptions.RETRY.delay(Duration.ZERO);
      harness.queues().failAll(leases.subList(0, 3_700), "x", again).forEach(Result::orThrow);
      harness.queues().failAll(leases.subList(3_700, 7_400), "x", again).forEach(Result::orThrow);
      leases = claim(mail, 7_400);
    }
    List<Lease> all = leases;

    assertThatThrownBy(() -> harness.queues().completeAll(all))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "call is too large for one commit of this store: row operations=1\\d{5}, most=131072,"
                + " bytes=\\d+, most=\\d+; nothing happened, give fewer or smaller jobs in a call");
    assertThat(harness.queues().completeAll(all.subList(0, 4_900)))
        .containsOnly(CompleteResult.COMPLETED);
    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(2_500);
    assertClean(harness);
  }

  @Test
  void completeAllWithResults_eachJob_keepsItsOwn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a", OFTEN.resultRetention(ofSeconds(9)));
    enqueue(mail, "b", OFTEN.resultRetention(ofSeconds(9)));
    List<Lease> leases = claim(mail, 2);

    List<CompleteResult> results =
        harness
            .queues()
            .completeAllWithResults(
                leases.stream().map(lease -> new Completion(lease, lease.payload())).toList());

    assertThat(results).containsOnly(CompleteResult.COMPLETED);
    assertThat(mail.peek(JobState.DONE, PageRequest.first(9)).items())
        .extracting(job -> new String(job.result().orElseThrow(), UTF_8))
        .containsExactly("a", "b");
  }

  private static List<String> errors(Job job) {
    return job.history().stream().map(attempt -> attempt.error().orElseThrow()).toList();
  }
}
