package io.millrace.test.worker;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.millrace.api.Wake;
import io.millrace.worker.Next;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of jobs by what their handlers answer, be it something that nobody can do. */
class WorkerNextTest extends WorkerRig {

  private static final JobType<Long> NUMBER = JobType.of("number", Codec.LONG);
  private static final ResultJobType<String, String> ECHO =
      JobType.of("echo", Codec.TEXT).returning(Codec.TEXT);

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
  void steps_answerThatCannotBeDone_failsTheAttemptAndTheWorkerGoesOn(BadNext bad) {
    Worker worker =
        engine
            .worker()
            .steps(MAIL, (text, job) -> text.equals("bad") ? bad.next.get() : Next.done())
            .concurrency(1)
            .listener(told)
            .start();
    JobId id = engine.enqueue(MAIL, "bad").jobId();
    engine.enqueue(MAIL, "good");

    assertThat(engine.run()).isEqualTo(2);
    assertThat(told.ends).containsExactly("mail RETRIED", "mail COMPLETED");
    assertThat(told.ended.get(0).thrown()).isPresent();
    assertThat(job(id).attempts()).isEqualTo(1);
    assertThat(job(id).lastError()).isPresent();
    engine.assertJobs(MAIL).delayed(1).nextIn(ofSeconds(1)).nothingElse();
    assertThat(worker.busy()).isZero();
  }

  @Test
  void steps_next_areDone() {
    engine
        .worker()
        .steps(
            MAIL,
            (text, job) -> {
              said.add(job.wake().getClass().getSimpleName() + " after " + sinceStart());
              if (job.wake() instanceof Wake.First) {
                return Next.snooze(ofHours(1));
              }
              return job.wake() instanceof Wake.Slept ? Next.waitFor("go") : Next.then(NUMBER, 7L);
            })
        .handle(NUMBER, (number, job) -> said.add("number " + number))
        .listener(told)
        .start();

    JobId id = engine.enqueue(MAIL, "Ada").jobId();
    engine.advance(ofHours(2));
    assertThat(job(id).state()).isEqualTo(JobState.WAITING);
    assertThat(engine.signal(id, "go").isDone()).isTrue();
    engine.run();

    assertThat(said)
        .containsExactly(
            "First after PT0S", "Slept after PT1H", "Signalled after PT2H", "number 7");
    assertThat(told.ends)
        .containsExactly("mail SNOOZED", "mail WAITED", "mail COMPLETED", "number COMPLETED");
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void steps_longReason_isCutAndTheJobEnds() {
    engine
        .worker()
        .steps(
            MAIL,
            (text, job) ->
                text.equals("dead") ? Next.dead("é".repeat(9_999)) : Next.retry("é".repeat(9_999)))
        .listener(told)
        .start();

    JobId dead = engine.enqueue(MAIL, "dead").jobId();
    JobId retried = engine.enqueue(MAIL, "retry").jobId();

    assertThat(engine.run()).isEqualTo(2);
    assertThat(told.ends).containsExactly("mail DIED", "mail RETRIED");
    for (JobId id : List.of(dead, retried)) {
      assertThat(error(id)).startsWith("éééééééé").hasSizeLessThan(9_999);
    }
  }

  @Test
  void then_queueOfTheNextIsFull_jobIsTriedAgainAndNothingOfItHappened() {
    engine.admin().configure("report", q -> q.depthMax(1));
    engine.enqueue(REPORT, "there");
    engine.worker().steps(MAIL, (text, job) -> Next.then(REPORT, "new")).listener(told).start();

    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("mail RETRIED");
    assertThat(error(id)).containsIgnoringCase("full");
    engine.assertJobs(MAIL).delayed(1).nextIn(ofSeconds(1)).nothingElse();
    engine.assertJobs(REPORT).ready(1).allMatch("there"::equals).nothingElse();
  }

  @Test
  void retry_delayOfTheHandler_isTaken() {
    engine
        .worker()
        .steps(MAIL, (text, job) -> Next.retry("busy", ofMinutes(30)))
        .listener(told)
        .start();

    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("mail RETRIED");
    assertThat(job(id).visibleAt()).contains(afterStart(ofMinutes(30)));
    assertThat(job(id).lastError()).contains("busy");
  }

  @Test
  void waitFor_signalWithAValue_isReadByItsCodec() {
    engine
        .worker()
        .steps(
            MAIL,
            (text, job) -> {
              said.add(job.signalled("paid", Codec.LONG).toString());
              return said.size() == 1 ? Next.waitFor("paid") : Next.done();
            })
        .start();
    JobId id = engine.enqueue(MAIL, "m").jobId();
    engine.run();

    engine.signal(id, "paid", Codec.LONG, 250L).orThrow();
    engine.run();

    assertThat(said).containsExactly("Optional.empty", "Optional[250]");
  }

  @Test
  void snooze_manyTimes_neverCounts() {
    engine
        .worker()
        .steps(
            MAIL,
            (text, job) -> {
              said.add(Integer.toString(job.attempt()));
              return said.size() < 10 ? Next.snooze(Duration.ZERO) : Next.done();
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m", o -> o.maxAttempts(1));

    assertThat(engine.run()).isEqualTo(10);
    assertThat(told.ends.subList(0, 9)).containsOnly("mail SNOOZED");
    assertThat(told.ends.get(9)).isEqualTo("mail COMPLETED");
    assertThat(said).hasSize(10).containsOnly("1");
  }

  @Test
  void compute_job_hasItsResult() {
    ResultJobType<String, Long> length =
        JobType.of("length", Codec.TEXT)
            .defaults(o -> o.resultRetention(ofHours(1)))
            .returning(Codec.LONG);
    engine.worker().compute(length, (text, job) -> (long) text.length()).start();
    Submitted<Long> four = engine.submit(length, "four");

    assertThat(engine.run()).isEqualTo(1);

    assertThat(four.end()).isCompletedWithValue(new JobEnd.Completed<>(4L));
    engine.assertJobs(length).done(1).nothingElse();
    engine.advance(ofHours(1));
    engine.assertJobs(length).hasSize(0);
  }

  @Test
  void compute_resultIsNullOrCannotBeWritten_failsTheAttempt() {
    engine.worker().compute(ECHO, (text, job) -> null).listener(told).start();

    JobId id = engine.enqueue(ECHO, "e").jobId();

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("echo RETRIED");
    assertThat(job(id).attempts()).isEqualTo(1);
    assertThat(job(id).visibleAt()).contains(afterStart(ofSeconds(1)));
    assertThat(job(id).lastError().orElseThrow())
        .contains("handler answered null, which is no result: type=echo");
  }
}
