package io.millrace.test.worker;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When jobs are tried again whose handlers throw, and when they are not. */
class WorkerRetriesTest extends WorkerRig {

  private static final JobType<Long> NUMBER = JobType.of("number", Codec.LONG);

  @Test
  void handle_throws_isTriedAgainAndDeadInTheEnd() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              said.add(job.attempt() + " after " + sinceStart() + " " + firstLine(job.lastError()));
              throw new IOException("no route " + job.attempt());
            })
        .listener(told)
        .start();

    JobId id = engine.enqueue(MAIL, "Ada", o -> o.maxAttempts(4)).jobId();

    assertThat(engine.advance(ofHours(1))).isEqualTo(4);
    assertThat(said)
        .containsExactly(
            "1 after PT0S none",
            "2 after PT1S java.io.IOException: no route 1",
            "3 after PT3S java.io.IOException: no route 2",
            "4 after PT7S java.io.IOException: no route 3");
    assertThat(told.ends)
        .containsExactly("mail RETRIED", "mail RETRIED", "mail RETRIED", "mail DIED");
    assertThat(error(id)).isEqualTo("java.io.IOException: no route 4");
  }

  private static String firstLine(Optional<String> error) {
    return error.map(text -> text.lines().findFirst().orElseThrow()).orElse("none");
  }

  @Test
  void handle_payloadIsNone_isDeadAtOnceWithItsBytes() {
    engine.worker().handle(NUMBER, (number, job) -> said.add("?")).listener(told).start();

    JobId id =
        engine
            .queue("number")
            .enqueue(
                "no number".getBytes(StandardCharsets.UTF_8), EnqueueOptions.DEFAULT.maxAttempts(9))
            .jobId();

    assertThat(engine.advance(ofHours(1))).isEqualTo(1);
    assertThat(told.ends).containsExactly("number DIED");
    assertThat(told.ended.get(0).thrown()).containsInstanceOf(CodecException.class);
    Job dead = job(id);
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.attempts()).isEqualTo(1);
    assertThat(dead.payload()).asString().isEqualTo("no number");
    assertThat(said).isEmpty();
  }

  @Test
  void codecException_ofTheHandlersOwn_isTriedAgain() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              throw new CodecException("a row of a table, not the payload");
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m");

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("mail RETRIED");
    engine.assertJobs(MAIL).delayed(1).nextIn(ofSeconds(1)).nothingElse();
  }

  @Test
  void permanent_itAndItsSubclasses_areDeadAtOnceOthersAreNot() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              if (text.equals("gone")) {
                throw new FileNotFoundException("gone");
              }
              throw new IllegalStateException("later");
            },
            h -> h.permanent(IOException.class, IllegalArgumentException.class))
        .listener(told)
        .start();

    JobId gone = engine.enqueue(MAIL, "gone").jobId();
    JobId later = engine.enqueue(MAIL, "later").jobId();

    assertThat(engine.run()).isEqualTo(2);
    assertThat(told.ends).containsExactly("mail DIED", "mail RETRIED");
    assertThat(job(gone).state()).isEqualTo(JobState.DEAD);
    assertThat(error(gone)).isEqualTo("java.io.FileNotFoundException: gone");
    assertThat(job(later).state()).isEqualTo(JobState.DELAYED);
    assertThat(job(later).visibleAt()).contains(afterStart(ofSeconds(1)));
  }

  @Test
  void releaseOn_itAndItsSubclasses_areHandedBackUncountedForASecond() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              said.add("attempt " + job.attempt() + " after " + sinceStart());
              if (said.size() == 1) {
                throw new FileNotFoundException("not yet");
              }
            },
            h -> h.releaseOn(IOException.class))
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m", o -> o.maxAttempts(1));

    assertThat(engine.advance(ofMinutes(1))).isEqualTo(2);
    assertThat(said).containsExactly("attempt 1 after PT0S", "attempt 1 after PT1S");
    assertThat(told.ends).containsExactly("mail RELEASED", "mail COMPLETED");
  }

  @Test
  void backoff_ofTheHandler_isInPlaceOfTheJobs() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              throw new IOException("later");
            },
            h -> h.backoff(Backoff.fixed(ofHours(3))))
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m", o -> o.backoff(Backoff.fixed(ofMillis(5))));

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("mail RETRIED");
    engine.assertJobs(MAIL).delayed(1).nextIn(ofHours(3)).nothingElse();
  }

  @Test
  void lastAttempt_isKnownAndThenDead() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              said.add(job.attempt() + "/" + job.maxAttempts() + " " + job.isLastAttempt());
              throw new IOException("never");
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m", o -> o.maxAttempts(2));

    assertThat(engine.advance(ofHours(1))).isEqualTo(2);
    assertThat(said).containsExactly("1/2 false", "2/2 true");
    assertThat(told.ends).containsExactly("mail RETRIED", "mail DIED");
  }

  @Test
  void lease_isOverBeforeTheHandlerEnds_jobRunsAgainAndTheLateEndChangesNothing() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              said.add("attempt " + job.attempt() + " after " + sinceStart());
              if (job.attempt() == 1) {
                engine.advance(ofSeconds(45));
                throw new IOException("too late");
              }
              said.add("last error: " + job.lastError().orElseThrow());
            })
        .name("w")
        .leaseDuration(ofSeconds(30))
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m", o -> o.maxAttempts(2).backoff(Backoff.fixed(ofHours(1))));

    assertThat(engine.run()).isEqualTo(2);
    assertThat(said)
        .containsExactly(
            "attempt 1 after PT0S",
            "attempt 2 after PT45S",
            "last error: lease expired: worker=w, attempt=1");
    assertThat(told.ends).containsExactly("mail LOST", "mail COMPLETED");
    engine.assertJobs(MAIL).hasSize(0);
  }
}
