package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.TransactionResult;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of the guide do what it says of them. */
class GuideTest {

  private final JobEngine engine = JobEngine.open("memory:guide");
  private final JobQueue mail = engine.queue("mail");
  private final List<String> done = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void retry_jobThatSaysNothing_hasTheQueuesAttempts() {
    Guide.retry(mail);
    mail.enqueue(new byte[1]);

    assertThat(claim(mail).maxAttempts()).isEqualTo(8);
  }

  @Test
  void names_tenantThatInherits_hasWhatTheNameSays() {
    Guide.names(engine);

    assertThat(engine.queue("mail", "acme").settings().depthMax()).hasValue(1_000);
    assertThat(mail.settings().depthMax()).hasValue(1_000);
  }

  @Test
  void cancelAll_ofAType_leavesOthersAndIsCounted() {
    for (int i = 0; i < 3; i++) {
      mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.type("newsletter"));
    }
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.type("bill"));

    assertThat(Guide.cancelAll(engine, done::add))
        .containsExactly(entry(CancelResult.CANCELLED, 3L));
    assertThat(done).containsExactly("3 jobs");
    assertThat(claim(mail).type()).isEqualTo("bill");
  }

  @Test
  void tables_stockOfTea_isAddedUpAndOneIsSold() {
    assertThat(Guide.tables(engine)).isEqualTo("tea=15");
    assertThat(engine.table("stock", Codec.TEXT, Codec.LONG).get("tea/green")).contains(2L);
  }

  @Test
  void rates_oneKeyAndNone_areStartedAsOftenAsTheyMay() {
    Guide.rates(mail);
    for (int i = 0; i < 3; i++) {
      mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.concurrencyKey("ada"));
      mail.enqueue(new byte[1]);
    }

    assertThat(mail.claim(ClaimOptions.by("worker").max(10))).hasSize(4);
  }

  @Test
  void engineRates_threeQueues_oneJobIsStartedAtOnce() {
    Guide.engineRates(engine);
    List<QueueName> all =
        List.of(
            new QueueName("mail", "acme"),
            new QueueName("mail", "globex"),
            QueueName.of("invoices"));

    assertThat(engine.claim(all, ClaimOptions.by("worker").max(10))).hasSize(1);
  }

  @Test
  void types_knownAndUnknown_areWorkedOnAndSnoozed() {
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.type("survey"));

    Guide.types(engine, done::add, invoice -> done.add("invoice " + invoice.number()));
    Guide.types(engine, done::add, invoice -> done.add("invoice " + invoice.number()));

    assertThat(done).containsExactly("Ada");
    assertThat(count(mail, JobState.DELAYED)).isEqualTo(3);
    assertThat(count(mail, JobState.READY)).isEqualTo(1);
  }

  @Test
  void waiting_orderThatIsPaid_isShipped() {
    JobId early = mail.enqueue(new byte[1]).jobId();
    assertThat(Guide.paid(engine, early)).isEqualTo(SignalResult.KEPT);
    JobId late = mail.enqueue(new byte[1]).jobId();
    for (int i = 0; i < 3; i++) {
      Guide.waiting(mail, done::add);
    }

    assertThat(done).containsExactly("invoice 17");
    assertThat(engine.get(early)).isEmpty();
    assertThat(Guide.paid(engine, late)).isEqualTo(SignalResult.WOKEN);
    Guide.waiting(mail, done::add);
    assertThat(done).containsExactly("invoice 17", "invoice 17");
  }

  @Test
  void await_jobsThatEnd_areTold() {
    Guide.await(mail, done::add);
    Guide.await(mail, done::add);
    assertThat(claim(mail).complete("42".getBytes(UTF_8)).isDone()).isTrue();
    assertThat(claim(mail).fail("no data", FailOptions.PERMANENT).isDone()).isTrue();

    engine.close();

    assertThat(done).containsExactly("42", "no report: no data");
  }

  @Test
  void events_ofAJobThatDies_areTold() {
    assertThat(Guide.events(engine, done::add).missedCount()).isZero();
    mail.enqueue(new byte[1]);
    assertThat(claim(mail).fail(" no data", FailOptions.PERMANENT).isDone()).isTrue();

    engine.close();

    assertThat(done).containsExactly("mail DIED no data");
  }

  @Test
  void checkpoints_afterAFailure_goOnFromTheLastOne() {
    mail.enqueue(
        IntStream.range(0, 250)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining("\n"))
            .getBytes(UTF_8));
    Lease first = claim(mail);
    assertThatThrownBy(() -> Guide.checkpoints(first, this::refuseTheTwoHundredth))
        .isInstanceOf(IllegalStateException.class);
    assertThat(first.release().isDone()).isTrue();
    done.clear();

    Guide.checkpoints(claim(mail), done::add);

    assertThat(done).hasSize(150).startsWith("100").endsWith("249");
  }

  private void refuseTheTwoHundredth(String row) {
    done.add(row);
    if (done.size() == 200) {
      throw new IllegalStateException("no connection");
    }
  }

  @Test
  void redrive_clearing_letsJobsStartAsTheyWereEnqueued() {
    mail.enqueue(new byte[1]);
    try (Lease lease = claim(mail)) {
      lease.checkpoint(new byte[1]).orThrow();
      lease.fail("unknown column: age", FailOptions.PERMANENT).orThrow();
    }

    long count = Guide.redrive(mail);

    assertThat(count).isEqualTo(1);
    assertThat(claim(mail).checkpointed()).isEmpty();
  }

  @Test
  void handOver_answeredElsewhere_isCompleted() {
    mail.enqueue(new byte[1]);

    Guide.handOver(mail, (payload, job, token) -> Guide.answered(engine, job, token));

    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isZero();
    assertThat(count(mail, JobState.READY)).isZero();
  }

  @Test
  void handOver_thatFails_isTriedAgain() {
    mail.enqueue(new byte[1]);

    Guide.handOver(
        mail,
        (payload, job, token) -> {
          throw new IOException("no connection");
        });

    assertThat(count(mail, JobState.DELAYED)).isEqualTo(1);
  }

  @Test
  void why_jobBlockedByItsKey_namesWhoHasItAndWhatElseHolds() {
    EnqueueOptions ada = EnqueueOptions.DEFAULT.concurrencyKey("ada");
    JobId holder = mail.enqueue(new byte[1], ada).jobId();
    JobId blocked = mail.enqueue(new byte[1], ada).jobId();
    mail.pause();

    Guide.why(engine, blocked, done::add);

    assertThat(done)
        .containsExactly(
            "its queue is paused",
            "is blocked by its concurrency key \"ada\": 1 job of it is ready or running ("
                + holder
                + " is ready), as many as may be; it is the next of the key",
            holder + " is READY");
  }

  @Test
  void pack_untilNothingIsLeft_movesTheOrderOnOrPutsItOff() {
    Table<String, Long> stock = engine.table("stock", Codec.TEXT, Codec.LONG);
    stock.put("boots", 1L);
    mail.enqueue("first".getBytes(UTF_8));
    mail.enqueue("second".getBytes(UTF_8));
    Lease first = claim(mail);
    Lease second = claim(mail);

    assertThat(Guide.pack(engine, stock, first).isDone()).isTrue();
    assertThat(Guide.pack(engine, stock, second).isDone()).isTrue();

    assertThat(Guide.pack(engine, stock, first))
        .isEqualTo(new TransactionResult.StaleLease<Boolean>(first.jobId()));
    assertThat(stock.get("boots")).contains(0L);
    assertThat(claim(engine.queue("shipping")).payload()).isEqualTo("first".getBytes(UTF_8));
    assertThat(engine.get(second.jobId()).orElseThrow().state()).isEqualTo(JobState.WAITING);
  }

  @Test
  void takeAway_runningWaitingAndGone_saysWhich() {
    JobId report = engine.queue("reports").enqueue(new byte[1]).jobId();
    Lease hung = engine.queue("reports").claim("w1", Duration.ofMinutes(1)).orElseThrow();

    assertThat(Guide.takeAway(engine, report)).isEqualTo("another worker may have it");
    assertThat(hung.complete().isDone()).isFalse();
    assertThat(Guide.takeAway(engine, report)).isEqualTo("nobody works on it");
    assertThat(engine.cancelIfWaiting(report).isDone()).isTrue();
    assertThat(Guide.takeAway(engine, report)).isEqualTo("it has ended");
  }

  @Test
  void withdraw_waitingRunningAndGone_saysWhich() {
    JobId first = mail.enqueue(new byte[1]).jobId();
    Lease running = claim(mail);
    JobId second = mail.enqueue(new byte[1]).jobId();

    assertThat(Guide.withdraw(engine, first)).isEqualTo("too late: it is being worked on");
    assertThat(Guide.withdraw(engine, second)).isEqualTo("withdrawn");
    assertThat(Guide.withdraw(engine, second)).isEqualTo("too late: it is done");
    assertThat(running.complete().isDone()).isTrue();
  }

  @Test
  void options_ofTheGuide_openAnEngine() {
    EngineOptions options = Guide.options(new EngineListener() {});

    try (JobEngine other = JobEngine.open("memory:options", options)) {
      assertThat(options.callTimeout()).contains(Duration.ofSeconds(10));
      assertThat(other.queue("mail").stats()).isEmpty();
    }
  }

  @Test
  void workOff_severalJobs_completesAll() {
    for (String text : List.of("a", "b", "c")) {
      mail.enqueue(text.getBytes(UTF_8));
    }

    int count = Guide.workOff(engine, "mail", payload -> done.add(new String(payload, UTF_8)));

    assertThat(count).isEqualTo(3);
    assertThat(done).containsExactly("a", "b", "c");
    assertThat(count(mail, JobState.READY)).isZero();
  }

  private static Lease claim(JobQueue queue) {
    return queue.claim(ClaimOptions.by("tester")).get(0);
  }

  private static long count(JobQueue queue, JobState state) {
    return queue.stats().orElseThrow().count(state);
  }
}
