package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.Table;
import io.millrace.test.MillraceTest;
import io.millrace.test.TestEngine;
import io.millrace.test.TestEngine.CommitFate;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of docs/testing.md: a service that sends mails, and its tests. */
// region test
@MillraceTest
class MailServiceTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private final List<String> sent = new ArrayList<>();
  private boolean isServerUp = true;

  private void send(String to) throws IOException {
    if (!isServerUp) {
      throw new IOException("no route to the mail server");
    }
    sent.add(to);
  }

  @Test
  void mail_serverIsDownForAnHour_isSentWhenItIsUp(TestEngine engine) {
    Worker.on(engine).handle(MAIL, (to, job) -> send(to)).start();
    isServerUp = false;

    engine.enqueue(MAIL, "ada@example.org");
    engine.run();
    engine.assertJobs(MAIL).delayed(1).nextIn(Duration.ofSeconds(1)).anyError("no route");

    engine.advance(Duration.ofHours(1));
    isServerUp = true;
    engine.advance(Duration.ofHours(1));
    engine.assertJobs(MAIL).hasSize(0);
    assertThat(sent).containsExactly("ada@example.org");
  }

  // endregion

  // region failures
  @Test
  void mail_serverStaysDown_isADeadLetterInTheEnd(TestEngine engine) {
    Worker.on(engine).handle(MAIL, (to, job) -> send(to)).start();
    isServerUp = false;
    engine.allowFailures(IOException.class);

    engine.enqueue(MAIL, "ada");
    engine.advance(Duration.ofDays(1));

    engine.assertJobs(MAIL).dead(1).anyError("no route");
  }

  // endregion

  // region time
  @Test
  void reminder_untilItsDay_isNotSent(TestEngine engine) {
    Worker.on(engine).handle(MAIL, (to, job) -> send(to + " at " + job.now())).start();
    Instant newYear = Instant.parse("2025-01-01T00:00:00Z");
    engine.enqueue(MAIL, "ada", options -> options.visibleAt(newYear));

    assertThat(engine.advance(Duration.ofDays(300))).isZero();
    assertThat(engine.advanceTo(newYear)).isEqualTo(1);

    assertThat(sent).containsExactly("ada at 2025-01-01T00:00:00Z");
  }

  // endregion

  // region crash
  @Test
  void mail_processDiesBeforeItIsNoted_isSentTwice(TestEngine engine) {
    Table<String, Long> noted = engine.table("noted", Codec.TEXT, Codec.LONG);
    Worker.on(engine)
        .handle(
            MAIL,
            (to, job) -> {
              send(to);
              if (job.attempt() == 1) {
                engine.crash();
              }
              noted.put(to, (long) job.attempt());
            })
        .start();
    engine.enqueue(MAIL, "ada");

    engine.run();

    assertThat(sent).containsExactly("ada", "ada");
    assertThat(noted.get("ada")).contains(2L);
    engine.assertJobs(MAIL).hasSize(0);
  }

  // endregion

  // region unknown
  @Test
  void welcome_outcomeIsUnknown_isAskedForAgainAndSentOnce(TestEngine engine) {
    Worker.on(engine).handle(MAIL, (to, job) -> send(to)).start();
    engine.failNextCommit(CommitFate.KEPT);

    assertThatThrownBy(() -> welcome(engine, "ada")).isInstanceOf(OutcomeUnknownException.class);
    welcome(engine, "ada");

    assertThat(engine.run()).isEqualTo(1);
    assertThat(sent).containsExactly("ada");
  }

  private static void welcome(JobQueues queues, String to) {
    queues.enqueue(MAIL, to, options -> options.unique("welcome:" + to));
  }

  // endregion

  // region handler-time
  @Test
  void mail_handlerTakesLongerThanItsLease_isServedAgain(TestEngine engine) {
    Worker.on(engine)
        .leaseDuration(Duration.ofSeconds(30))
        .handle(
            MAIL,
            (to, job) -> {
              send(to + " " + job.attempt());
              if (job.attempt() == 1) {
                engine.advance(Duration.ofMinutes(1));
              }
            })
        .start();
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isEqualTo(2);

    assertThat(sent).containsExactly("ada 1", "ada 2");
  }
  // endregion
}
