package io.millrace.worker;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.ResultJobType;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of jobs by what their handlers answer, be it something that nobody can do. */
@Timeout(90)
class WorkerNextTest extends WorkerRig {

  /** What a handler may answer that nobody can do. */
  enum BadNext {
    SNOOZE_NEGATIVE(() -> Next.snooze(ofMillis(-1))),
    SNOOZE_FOR_EVER(() -> Next.snooze(ofDays(100_000))),
    SNOOZE_UNTIL_THE_END(() -> Next.snooze(Instant.MAX)),
    WAIT_FOR_NOTHING(() -> Next.waitFor("")),
    WAIT_FOR_TOO_LONG_A_NAME(() -> Next.waitFor("s".repeat(Limits.KEY_BYTES_MAX + 1))),
    WAIT_NEGATIVE(() -> Next.waitFor("s", ofMillis(-1))),
    WAIT_FOR_EVER(() -> Next.waitFor("s", ofDays(100_000))),
    RETRY_NEGATIVE(() -> Next.retry("r", ofMillis(-1))),
    RESULT_TOO_LARGE(() -> Next.done(new byte[Limits.RESULT_BYTES_MAX + 1])),
    THEN_WITH_BAD_OPTIONS(() -> Next.then(REPORT, "r", o -> o.weight(0))),
    THEN_THROWS(
        () ->
            Next.then(
                REPORT,
                "r",
                o -> {
                  throw new OutOfMemoryError("thrown by the test");
                })),
    THEN_PAYLOAD_TOO_LARGE(
        () -> Next.then(JobType.of("b", Codec.BYTES), new byte[Limits.PAYLOAD_BYTES_MAX + 1])),
    NOTHING(() -> null);

    private final Supplier<Next> next;

    BadNext(Supplier<Next> next) {
      this.next = next;
    }
  }

  @ParameterizedTest
  @EnumSource
  void steps_answerThatCannotBeDone_failsTheAttemptAndTheWorkerGoesOn(BadNext bad)
      throws Exception {
    Worker worker =
        Worker.on(engine)
            .steps(MAIL, (text, job) -> text.equals("bad") ? bad.next.get() : Next.done())
            .concurrency(1)
            .listener(told)
            .start();
    JobId id = engine.enqueue(MAIL, "bad").jobId();

    Job job = deadOrRetried(id);
    assertThat(told.ended.get(id).outcome()).isIn(Outcome.RETRIED, Outcome.DEAD);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError()).isPresent();
    JobId good = engine.enqueue(MAIL, "good").jobId();
    await("the next is done", () -> told.ended.containsKey(good));
    assertThat(told.ended.get(good).outcome()).isEqualTo(Outcome.COMPLETED);
    await("it is idle", () -> worker.busy() == 0);
  }

  @Test
  void steps_longReason_isCutAndTheJobEnds() throws Exception {
    Worker.on(engine)
        .steps(
            MAIL,
            (text, job) ->
                text.equals("dead") ? Next.dead("é".repeat(9_999)) : Next.retry("é".repeat(9_999)))
        .listener(told)
        .start();

    JobId dead = engine.enqueue(MAIL, "dead").jobId();
    assertThat(told.next()).isEqualTo("mail DEAD");
    JobId retried = engine.enqueue(MAIL, "retry").jobId();
    assertThat(told.next()).isEqualTo("mail RETRIED");

    for (JobId id : List.of(dead, retried)) {
      assertThat(job(id).lastError().orElseThrow()).startsWith("éééééééé");
    }
  }

  @Test
  void then_queueOfTheNextIsFull_jobIsTriedAgainAndNothingOfItHappened() throws Exception {
    engine.configure("report", q -> q.depthMax(1));
    engine.enqueue(REPORT, "there");
    Worker.on(engine).steps(MAIL, (text, job) -> Next.then(REPORT, "new")).listener(told).start();

    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(told.next()).isEqualTo("mail RETRIED");
    assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
    assertThat(job(id).lastError().orElseThrow()).containsIgnoringCase("full");
    assertThat(engine.queue("report").stats().orElseThrow().counts().get(JobState.READY))
        .isEqualTo(1L);
  }

  @Test
  void retry_delayOfTheHandler_isTaken() throws Exception {
    Worker.on(engine)
        .steps(MAIL, (text, job) -> Next.retry("busy", ofMinutes(30)))
        .listener(told)
        .start();

    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(told.next()).isEqualTo("mail RETRIED");
    assertThat(job(id).visibleAt().orElseThrow())
        .isBetween(engine.now().plus(ofMinutes(20)), engine.now().plus(ofMinutes(31)));
    assertThat(job(id).lastError()).contains("busy");
  }

  @Test
  void snooze_manyTimes_neverCounts() throws Exception {
    Worker.on(engine)
        .steps(
            MAIL,
            (text, job) -> {
              said.add(Integer.toString(job.attempt()));
              return said.size() < 10 ? Next.snooze(Duration.ZERO) : Next.done();
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m", o -> o.maxAttempts(1));

    for (int i = 0; i < 10; i++) {
      assertThat(told.next()).isEqualTo(i < 9 ? "mail SNOOZED" : "mail COMPLETED");
    }
    assertThat(said).containsOnly("1");
  }

  @Test
  void compute_manyResults_eachCallerHasItsOwn() throws Exception {
    ResultJobType<String, String> echo = JobType.of("echo", Codec.TEXT).returning(Codec.TEXT);
    Worker.on(engine).compute(echo, (text, job) -> text + "!").concurrency(8).start();

    List<CompletableFuture<JobEnd<String>>> ends = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      ends.add(engine.submit(echo, "e" + i).end());
    }

    for (int i = 0; i < 300; i++) {
      assertThat(ends.get(i).get(40, TimeUnit.SECONDS))
          .isEqualTo(new JobEnd.Completed<>("e" + i + "!"));
    }
  }

  @Test
  void compute_resultIsNullOrCannotBeWritten_failsTheAttempt() throws Exception {
    ResultJobType<String, String> echo = JobType.of("echo", Codec.TEXT).returning(Codec.TEXT);
    Worker.on(engine).compute(echo, (text, job) -> null).listener(told).start();

    JobId id = engine.enqueue(echo, "e").jobId();

    assertThat(told.next()).isEqualTo("echo RETRIED");
    assertThat(job(id).attempts()).isEqualTo(1);
  }
}
