package io.millrace.test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.test.TestEngine.CommitFate;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that die, and commits that fail. */
class FailuresTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private final TestEngine engine = TestEngine.create();
  private final JobQueue mail = engine.queue("mail");
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  private Lease claim() {
    return mail.claim(ClaimOptions.by("w1")).get(0);
  }

  @Test
  void crash_withALease_countsTheAttemptAndTheJobIsReadyAgain() {
    engine.enqueue(MAIL, "ada");
    engine.advance(Duration.ofMinutes(1));
    Lease lost = claim();

    engine.crash();

    engine.assertJobs(MAIL).ready(1).nothingElse();
    assertThat(lost.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(engine.now()).isEqualTo(TestEngine.START_DEFAULT.plusSeconds(60));
    Lease next = claim();
    assertThat(next.attempt()).isEqualTo(2);
    assertThat(next.complete().isDone()).isTrue();
  }

  @Test
  void crash_onTheLastAttempt_leavesADeadLetter() {
    engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1));
    claim();

    engine.crash();

    engine.assertJobs(MAIL).dead(1).hasSize(1);
  }

  @Test
  void crash_handlesOfBefore_goOn() {
    Table<String, Long> stock = engine.table("stock", Codec.TEXT, Codec.LONG);
    stock.put("tea", 3L);
    QueueLeaseResult own = engine.leaseQueue(QueueName.of("other"), "w1");
    assertThat(own).isInstanceOf(QueueLeaseResult.Granted.class);

    engine.crash();
    engine.crash();

    assertThat(stock.get("tea")).contains(3L);
    stock.put("tea", 2L);
    mail.enqueue("ada".getBytes(UTF_8));
    assertThat(claim().attempt()).isEqualTo(1);
    assertThat(engine.admin().queueLeases()).isEmpty();
  }

  @Test
  void crash_insideAHandler_endsItsRunAndTheNextAttemptFollows() {
    Table<String, Long> sent = engine.table("sent", Codec.TEXT, Codec.LONG);
    engine
        .worker()
        .handle(
            MAIL,
            (to, job) -> {
              told.add(to + " " + job.attempt());
              sent.put(to, (long) job.attempt());
              if (job.attempt() == 1) {
                engine.crash();
              }
              told.add("sent");
            })
        .start();
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isEqualTo(2);

    assertThat(told).containsExactly("ada 1", "ada 2", "sent");
    assertThat(sent.get("ada")).contains(2L);
    engine.assertJobs(MAIL).hasSize(0);
  }

  @Test
  void crash_handlerThatCatchesIt_changesNothingOfTheJob() {
    try (Worker worker =
        engine
            .worker()
            .handle(
                MAIL,
                (to, job) -> {
                  if (job.attempt() == 1) {
                    assertThatThrownBy(engine::crash)
                        .isInstanceOf(Error.class)
                        .hasMessageContaining("let this pass");
                  } else {
                    engine.queue("mail").pause();
                    throw new IllegalStateException("no");
                  }
                })
            .start()) {
      engine.enqueue(MAIL, "ada");

      assertThat(engine.run()).isEqualTo(2);

      assertThat(worker.isStopped()).isFalse();
      engine.assertJobs(MAIL).delayed(1).anyError("no").nothingElse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void failNextCommit_ofAnEnqueue_isUnknownAndTheEngineGoesOn(CommitFate fate) {
    engine.enqueue(MAIL, "first", o -> o.unique("first"));
    Lease lease = claim();
    engine.failNextCommit(fate);

    assertThatThrownBy(() -> engine.enqueue(MAIL, "ada", o -> o.unique("ada")))
        .isInstanceOf(OutcomeUnknownException.class);

    boolean isDuplicate = engine.enqueue(MAIL, "ada", o -> o.unique("ada")).isDuplicate();
    assertThat(isDuplicate).isEqualTo(fate == CommitFate.KEPT);
    engine.assertJobs(MAIL).leased(1).ready(1).nothingElse();
    assertThat(lease.complete().isDone()).isTrue();
  }

  @Test
  void failNextCommit_byHandles_theNextCallWaitsUntilTheStoreIsOpen() {
    for (int i = 0; i < 50; i++) {
      engine.failNextCommit();
      assertThatThrownBy(() -> mail.enqueue(new byte[1]))
          .isInstanceOf(OutcomeUnknownException.class);
      mail.enqueue(new byte[1]);
      assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(i + 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void failNextCommit_ofACompletion_theWorkerAsksAgain(CommitFate fate) {
    engine
        .worker()
        .handle(
            MAIL,
            (to, job) -> {
              told.add(to);
              engine.failNextCommit(fate);
            })
        .start();
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isEqualTo(1);
    engine.advance(Duration.ofHours(1));

    assertThat(told).containsExactly("ada");
    engine.assertJobs(MAIL).hasSize(0);
  }
}
