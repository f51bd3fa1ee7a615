package io.millrace.test.worker;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.worker.BackoffFunction;
import io.millrace.worker.HandlerOptions;
import io.millrace.worker.Next;
import io.millrace.worker.RetryAfterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a job is tried again, as its handler says or a function that is asked. */
class WorkerBackoffTest extends WorkerRig {

  /** A worker whose handlers throw what the payload's letters say, one for each attempt. */
  private void failingWorker(UnaryOperator<HandlerOptions> how) {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              said.add(job.attempt() + " after " + sinceStart());
              switch (text.charAt(job.attempt() - 1)) {
                case 'w' -> throw new RetryAfterException(ofHours(2), "429");
                case 'i' -> throw new IOException("no route");
                default -> throw new IllegalStateException("broken");
              }
            },
            how)
        .listener(told)
        .start();
  }

  @Test
  void handle_throwsRetryAfter_waitsForThatWhateverItsBackoffAndCounts() {
    failingWorker(h -> h.backoff((attempt, thrown) -> Optional.of(ofMillis(1))));

    JobId id =
        engine
            .enqueue(MAIL, "ww", o -> o.maxAttempts(2).backoff(Backoff.fixed(ofSeconds(1))))
            .jobId();

    assertThat(engine.advance(ofDays(1))).isEqualTo(2);
    assertThat(said).containsExactly("1 after PT0S", "2 after PT2H");
    assertThat(told.ends).containsExactly("mail RETRIED", "mail DIED");
    assertThat(error(id)).isEqualTo(RetryAfterException.class.getName() + ": 429");
  }

  @Test
  void handle_throwsRetryAfterWhereItsSuperclassIsNamed_waitsForThatAllTheSame() {
    failingWorker(h -> h.permanent(RuntimeException.class).releaseOn(RuntimeException.class));

    engine.enqueue(MAIL, "ww", o -> o.maxAttempts(2));
    engine.advance(ofDays(1));

    assertThat(said).containsExactly("1 after PT0S", "2 after PT2H");
    assertThat(told.ends).containsExactly("mail RETRIED", "mail DIED");
  }

  @Test
  void steps_retryAfterATime_isNotCappedByTheJobsBackoff() {
    engine.worker().steps(MAIL, (text, job) -> Next.retry("busy", ofHours(5))).start();

    JobId id = engine.enqueue(MAIL, "m", o -> o.backoff(Backoff.fixed(ofSeconds(1)))).jobId();
    engine.run();

    assertThat(job(id).visibleAt()).contains(afterStart(ofHours(5)));
  }

  @Test
  void retryAfter_delayIsOutOfRange_isRefused() {
    Duration tooLong = Limits.DELAY_MAX.plusMillis(1);

    assertThatThrownBy(() -> new RetryAfterException(ofMillis(-1), "429"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delay is out of range: value=PT-0.001S, least=PT0S");
    assertThatThrownBy(() -> new RetryAfterException(tooLong, "429", new IOException()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("value=" + tooLong);
  }

  @Test
  void function_saysSomethingOfSome_othersWaitAsTheHandlersBackoffSays() {
    failingWorker(
        h ->
            h.backoff(
                    (attempt, thrown) ->
                        thrown instanceof IOException
                            ? Optional.of(ofMinutes(10).multipliedBy(attempt))
                            : Optional.empty())
                .backoff(Backoff.fixed(ofSeconds(7))));

    engine.enqueue(MAIL, "iii.", o -> o.maxAttempts(4));
    engine.enqueue(MAIL, "..", o -> o.maxAttempts(2));

    assertThat(engine.advance(ofHours(2))).isEqualTo(6);
    assertThat(said)
        .containsExactly(
            "1 after PT0S",
            "1 after PT0S",
            "2 after PT7S",
            "2 after PT10M",
            "3 after PT30M",
            "4 after PT1H");
  }

  @Test
  void function_handlerThrewNothing_isAskedWithNull() {
    engine
        .worker()
        .steps(
            MAIL,
            (text, job) -> Next.retry("not yet"),
            h -> h.backoff((attempt, thrown) -> Optional.of(ofMinutes(thrown == null ? 3 : 99))))
        .start();

    engine.enqueue(MAIL, "m");
    engine.run();

    engine.assertJobs(MAIL).delayed(1).nextIn(ofMinutes(3)).nothingElse();
  }

  @Test
  void function_handlerIsPermanentlyAtFault_isNotAsked() {
    failingWorker(
        h ->
            h.permanent(IOException.class)
                .backoff(
                    (attempt, thrown) -> {
                      said.add("asked");
                      return Optional.of(ofMinutes(1));
                    }));

    JobId id = engine.enqueue(MAIL, "i").jobId();
    engine.run();

    assertThat(job(id).state()).isEqualTo(JobState.DEAD);
    assertThat(said).containsExactly("1 after PT0S");
  }

  /** What a function does that is none. */
  enum Fault {
    NEGATIVE((attempt, thrown) -> Optional.of(ofMillis(-1))),
    TOO_LONG((attempt, thrown) -> Optional.of(Limits.DELAY_MAX.plusMillis(1))),
    FAR_TOO_LONG((attempt, thrown) -> Optional.of(Duration.ofSeconds(Long.MAX_VALUE))),
    @SuppressWarnings("NullAway") // what the test is about
    NULL((attempt, thrown) -> null),
    THROWS(
        (attempt, thrown) -> {
          throw new UncheckedIOException(new IOException("in the function"));
        }),
    ERROR(
        (attempt, thrown) -> {
          throw new AssertionError("in the function");
        });

    private final BackoffFunction function;

    Fault(BackoffFunction function) {
      this.function = function;
    }
  }

  @ParameterizedTest
  @EnumSource
  void function_isAtFault_jobWaitsAsItsBackoffSays(Fault fault) {
    failingWorker(h -> h.backoff(fault.function));

    JobId id = engine.enqueue(MAIL, "ii", o -> o.backoff(Backoff.fixed(ofSeconds(9)))).jobId();
    engine.run();

    assertThat(told.ends).containsExactly("mail RETRIED");
    assertThat(error(id)).isEqualTo("java.io.IOException: no route");
    engine.assertJobs(MAIL).delayed(1).nextIn(ofSeconds(9)).nothingElse();
  }
}
