package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.JobType;
import io.millrace.worker.JobHandler;
import io.millrace.worker.Next;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which of what handlers throw fails their test. */
@MillraceTest
class HandlerFailuresTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final Duration HOUR = Duration.ofHours(1);

  private static void handle(TestEngine engine, JobHandler<String> handler) {
    engine.worker().handle(MAIL, handler).start();
  }

  @Test
  void run_jobDiesOfWhatItsHandlerThrows_failsAndTellsItOnce(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          throw new IOException("no route");
        });
    engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1));

    assertThatThrownBy(engine::run)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "job of type mail, attempt 1/1 at 2024-01-01T00:00:00Z, DIED:"
                + " java.io.IOException: no route")
        .hasCauseExactlyInstanceOf(IOException.class);

    engine.assertJobs(MAIL).dead(1).nothingElse();
    assertThat(engine.run()).isZero();
  }

  @Test
  void run_engineIsNotStrict_onlyAssertionsFail() {
    try (TestEngine engine = TestEngine.create()) {
      handle(
          engine,
          (to, job) -> {
            assertThat(to).isEqualTo("ada");
            throw new IOException("no route");
          });
      engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1));
      assertThat(engine.run()).isEqualTo(1);
      engine.enqueue(MAIL, "bob");
      assertThatThrownBy(engine::run).hasMessageContaining("attempt 1/20");

      assertThat(engine.strict()).isSameAs(engine);
      engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1));
      assertThatThrownBy(engine::run).hasMessageContaining("no route");
    }
  }

  @Test
  void advance_severalJobsDie_failsWhenTheTimeIsOverWithEach(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          throw new IOException(to);
        });
    for (int i = 0; i < 12; i++) {
      String name = "mail " + i;
      engine.enqueue(MAIL, name, o -> o.maxAttempts(2));
    }

    AssertionError failure = catchThrowableOfType(AssertionError.class, () -> engine.advance(HOUR));

    assertThat(failure).hasMessageContaining("count=12").hasMessageContaining("and 2 more");
    assertThat(failure.getSuppressed()).hasSize(9);
    assertThat(engine.now()).isEqualTo(TestEngine.START_DEFAULT.plus(HOUR));
    engine.assertJobs(MAIL).dead(12).nothingElse();
  }

  @Test
  void run_attemptFailsThatIsTriedAgain_isTheBusinessOfTheJob(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          if (job.attempt() == 1) {
            throw new IOException("no route");
          }
        });
    engine.enqueue(MAIL, "ada");

    assertThat(engine.advance(HOUR)).isEqualTo(2);
  }

  @Test
  void run_assertionOfAHandlerFails_failsAtTheFirstAttempt(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          assertThat(to).isEqualTo("grace");
        });
    engine.enqueue(MAIL, "ada");

    assertThatThrownBy(engine::run)
        .hasMessageContaining("RETRIED")
        .cause()
        .hasMessageContaining("grace");
  }

  @Test
  void run_assertionIsTheCauseOfWhatIsThrown_failsAtTheFirstAttempt(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          throw new IllegalStateException(new AssertionError("in a thread of the handler's"));
        });
    engine.enqueue(MAIL, "ada");

    assertThatThrownBy(engine::run).hasCauseExactlyInstanceOf(IllegalStateException.class);
  }

  @Test
  void run_handlerThrowsAfterItsJobWasCompleted_fails(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          job.completeWith(tx -> 1);
          throw new IllegalStateException("too late");
        });
    engine.enqueue(MAIL, "ada");

    assertThatThrownBy(engine::run).hasMessageContaining("COMPLETED").hasMessageContaining("late");
  }

  @Test
  void run_payloadCannotBeRead_fails(TestEngine engine) {
    engine.worker().handle(JobType.of("mail", Codec.LONG), (number, job) -> {}).start();
    engine.enqueue(MAIL, "no number");

    assertThatThrownBy(engine::run).hasCauseInstanceOf(CodecException.class);
  }

  @Test
  void run_handlerSaysThatItsJobIsDead_isAsItWants(TestEngine engine) {
    engine.worker().steps(MAIL, (to, job) -> Next.dead("no such address")).start();
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isEqualTo(1);
    engine.assertJobs(MAIL).dead(1).nothingElse();
  }

  @Test
  void allowFailures_itAndItsSubclasses_failNothingOthersDo(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          throw to.equals("ada") ? new FileNotFoundException(to) : new IllegalStateException(to);
        });
    engine.allowFailures(IOException.class);
    engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1));
    assertThat(engine.run()).isEqualTo(1);

    engine.enqueue(MAIL, "grace", o -> o.maxAttempts(1));
    assertThatThrownBy(engine::run).hasCauseExactlyInstanceOf(IllegalStateException.class);

    engine.allowFailures(IllegalStateException.class);
    engine.enqueue(MAIL, "grace", o -> o.maxAttempts(1));
    assertThat(engine.run()).isEqualTo(1);
  }

  @Test
  void crash_afterAJobWasCompleted_isNoFailureOfItsHandler(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          job.completeWith(tx -> 1);
          engine.crash();
        });
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isEqualTo(1);
    engine.assertJobs(MAIL).hasSize(0);
  }

  @Test
  void run_whatIsThrownCannotBeDescribed_failsAllTheSame(TestEngine engine) {
    handle(
        engine,
        (to, job) -> {
          throw new Untold();
        });
    engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1));

    assertThatThrownBy(engine::run).hasMessageContaining(Untold.class.getName());
  }

  private static final class Untold extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      throw new IllegalStateException("it cannot tell");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("it cannot tell");
    }
  }
}
