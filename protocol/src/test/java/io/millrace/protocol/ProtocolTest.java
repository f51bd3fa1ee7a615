package io.millrace.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.api.RowResult;
import io.millrace.api.TableRange;
import io.millrace.api.UniqueKey;
import io.millrace.api.UpdateOptions;
import io.millrace.api.Wake;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtocolTest {

  private static final QueueName MAIL = new QueueName("mail", "acme");
  private static final JobId JOB = new JobId(1L << 32, 77L << 16);

  private static <C extends Call<A>, A> C sent(C call) {
    @SuppressWarnings("unchecked")
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    return operation.decode(operation.encode(call));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void eachCallHasAnOperation() {
    assertThat(Protocol.operations()).hasSizeGreaterThan(60);
    assertThat(Protocol.of(JobCalls.Enqueue.class).name()).isEqualTo("Enqueue");
    assertThat(Protocol.serviceName()).isEqualTo("millrace.v1.Millrace");
  }

  @Test
  void callsThatMayBeSentAgainAreNamed() {
    assertThat(Protocol.of(LeaseCalls.Complete.class).isRepeatable()).isTrue();
    assertThat(Protocol.of(ReadCalls.Get.class).isRepeatable()).isTrue();
    assertThat(Protocol.of(JobCalls.Enqueue.class).isRepeatable()).isFalse();
    // The second could undo what somebody else did after the first.
    assertThat(Protocol.of(TableCalls.PutRows.class).isRepeatable()).isFalse();
    assertThat(Protocol.of(QueueCalls.Pause.class).isRepeatable()).isFalse();
    assertThat(Protocol.of(JobCalls.Reschedule.class).isRepeatable()).isFalse();
  }

  @Test
  void sessionsKeepTheirMessages() {
    Session.Calls calls =
        new Session.Calls(
            Optional.of(new Session.Hello("c", "host", "1.2.3")),
            List.of(new Session.SentCall(7, "Enqueue", new byte[] {1, 2})),
            List.of(3L, -1L),
            List.of(5L),
            true);
    Session.Answers answers =
        new Session.Answers(
            Optional.of(new Session.Welcome(true, 9)),
            List.of(
                new Session.Answer(7, Optional.of(new byte[0]), Optional.empty()),
                new Session.Answer(
                    8, Optional.empty(), Optional.of(new Session.Failure("NotDone", "why")))));

    assertThat(Session.Calls.decode(calls.encode())).usingRecursiveComparison().isEqualTo(calls);
    assertThat(Session.Answers.decode(answers.encode()))
        .usingRecursiveComparison()
        .isEqualTo(answers);
  }

  @Test
  void jobsKeepEachOption() {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .priority(-3)
            .delay(Duration.ofSeconds(5))
            .maxAttempts(7)
            .backoff(Backoff.list(Duration.ofSeconds(1), Duration.ofSeconds(9)))
            .leaseDuration(Duration.ofMinutes(2))
            .weight(4)
            .headers(Map.of("a", "1", "b", ""))
            .type("letter")
            .timeToLive(Duration.ofHours(1))
            .resultRetention(Duration.ofDays(1))
            .unique(UniqueKey.of("k").within(Duration.ofMinutes(5)).replace())
            .concurrencyKey("c")
            .engineRateLimit("r", RateLimit.of(100, Duration.ofSeconds(1)).burst(10))
            .batch(new BatchId(12));
    JobCalls.Enqueue call =
        new JobCalls.Enqueue(
            MAIL,
            List.of(
                new NewJob(bytes("one"), options), new NewJob(new byte[0], EnqueueOptions.DEFAULT)),
            Optional.of(Durability.BUFFERED));

    JobCalls.Enqueue sent = sent(call);

    assertThat(sent.queue()).isEqualTo(MAIL);
    assertThat(sent.durability()).contains(Durability.BUFFERED);
    assertThat(sent.jobs()).hasSize(2);
    assertThat(sent.jobs().get(0).payload()).isEqualTo(bytes("one"));
    assertThat(sent.jobs().get(0).options()).isEqualTo(options);
    assertThat(sent.jobs().get(1).options()).isEqualTo(EnqueueOptions.DEFAULT);
  }

  @Test
  void keysOfTheEngineKeepTheirLimit() {
    EnqueueOptions options = EnqueueOptions.DEFAULT.engineConcurrencyKey("e", 3);
    JobCalls.Enqueue call =
        new JobCalls.Enqueue(MAIL, List.of(new NewJob(bytes(""), options)), Optional.empty());
    assertThat(sent(call).jobs().get(0).options()).isEqualTo(options);
  }

  @Test
  void claimsKeepEachOption() {
    ClaimOptions options =
        ClaimOptions.by("w")
            .max(10)
            .leaseDuration(Duration.ofSeconds(30))
            .capacity(5)
            .maxWeight(4)
            .maxBytes(1_000)
            .maxPerQueue(Map.of(MAIL, 2))
            .waiting(Duration.ofSeconds(20));
    LeaseCalls.Claim call = new LeaseCalls.Claim(List.of(MAIL), List.of("mail"), options);
    assertThat(sent(call)).isEqualTo(call);
  }

  @Test
  void answersAreOneOfTheirKinds() {
    Operation<JobCalls.Enqueue, JobCalls.Enqueue.Answer> enqueue =
        Protocol.of(JobCalls.Enqueue.class);
    List<EnqueueResult> results =
        List.of(
            new Enqueued(JOB),
            Enqueued.duplicateOf(JOB),
            new EnqueueResult.QueueFull(MAIL, 10),
            new EnqueueResult.BatchOver(MAIL, new BatchId(3)),
            new EnqueueResult.Draining(MAIL));
    assertThat(
            enqueue
                .decodeAnswer(enqueue.encodeAnswer(new JobCalls.Enqueue.Answer(results)))
                .results())
        .isEqualTo(results);
  }

  @Test
  void leasesKeepWhyTheAttemptBegan() {
    Granted lease =
        new Granted(
            JOB,
            42,
            MAIL,
            "letter",
            bytes("p"),
            Map.of("h", "v"),
            2,
            20,
            5,
            1,
            "w",
            Instant.ofEpochMilli(1_000),
            Duration.ofSeconds(30),
            true,
            Optional.of(bytes("s")),
            Optional.of("e"),
            Optional.empty(),
            new Wake.Retry(Optional.of(new Wake.Signalled("paid", bytes("x")))));
    Operation<LeaseCalls.Claim, LeaseCalls.Claim.Answer> claim =
        Protocol.of(LeaseCalls.Claim.class);
    Granted told =
        claim
            .decodeAnswer(claim.encodeAnswer(new LeaseCalls.Claim.Answer(List.of(lease))))
            .leases()
            .get(0);
    assertThat(told).usingRecursiveComparison().isEqualTo(lease);
  }

  @Test
  void changesTellAbsentFromEmpty() {
    UpdateOptions none = UpdateOptions.NOTHING;
    UpdateOptions empty = none.headers(Map.of()).payload(new byte[0]);
    assertThat(sent(new JobCalls.Update(JOB, none, Optional.empty())).changes()).isEqualTo(none);
    assertThat(sent(new JobCalls.Update(JOB, empty, Optional.empty())).changes().headers())
        .contains(Map.of());
    assertThat(sent(new JobCalls.Update(JOB, empty, Optional.empty())).changes().payload())
        .isPresent();
  }

  @Test
  void settingsKeepWhatIsInherited() {
    QueueSettings name =
        QueueSettings.DEFAULT.depthMax(9).retry(3, Backoff.fixed(Duration.ofSeconds(1)));
    QueueSettings held = QueueSettings.DEFAULT.perKey(2).noDeadRetention().over(name);
    QueueCalls.Configure call =
        new QueueCalls.Configure(
            Optional.of(MAIL), Optional.empty(), held, QueueSettings.DEFAULT, Optional.empty());
    QueueSettings sent = sent(call).expected();
    assertThat(sent.texts()).isEqualTo(held.texts());
    assertThat(sent.setHere()).isEqualTo(held.setHere());
  }

  @Test
  void batchesKeepWhatComesAfterThem() {
    Batch batch =
        Batch.of("b")
            .add(MAIL, NewJob.of(bytes("1")))
            .whenDone(MAIL, NewJob.of(bytes("2")))
            .whenAnyDied(MAIL, NewJob.of(bytes("3")))
            .retention(Duration.ofHours(3))
            .keepResults();
    Batch sent = sent(new BatchCalls.StartBatch(batch, true, Optional.empty())).batch();
    assertThat(sent.jobs()).hasSize(1);
    assertThat(sent.following().keySet())
        .containsExactlyInAnyOrder(Batch.After.DONE, Batch.After.ANY_DIED);
    assertThat(sent.retention()).isEqualTo(Duration.ofHours(3));
    assertThat(sent.keepsResults()).isTrue();
  }

  @Test
  void rowsAndRangesAreBytes() {
    TableRange<byte[]> range = TableRange.prefix(bytes("a"));
    TableCalls.CountRows sent = sent(new TableCalls.CountRows("t", range));
    assertThat(((TableRange.Prefix<byte[]>) sent.range()).prefix()).isEqualTo(bytes("a"));
    Operation<TableCalls.ReplaceRow, TableCalls.ReplaceRow.Answer> replace =
        Protocol.of(TableCalls.ReplaceRow.class);
    RowResult<byte[]> other = new RowResult.Other<>(Optional.of(bytes("v")));
    RowResult<byte[]> told =
        replace
            .decodeAnswer(replace.encodeAnswer(new TableCalls.ReplaceRow.Answer(other)))
            .result();
    assertThat(((RowResult.Other<byte[]>) told).found().orElseThrow()).isEqualTo(bytes("v"));
  }

  @Test
  void filtersAreTexts() {
    JobFilter filter = JobFilter.ALL.queueName("mail").header("h", "v");
    assertThat(
            sent(new ReadCalls.Jobs(filter, io.millrace.api.PageRequest.after("cursor", 10)))
                .filter())
        .isEqualTo(filter);
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> Protocol.of(LeaseCalls.Claim.class).decode(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("options: ")
        .hasMessageContaining("worker");
    assertThatThrownBy(() -> Protocol.of(JobCalls.Cancel.class).decode(new byte[0]))
        .hasMessageContaining("jobId: ");
  }

  @Test
  void damagedMessagesAreRefusedInASentenceOrReadAsOthers() {
    Random random = new Random(7);
    EnqueueOptions options =
        EnqueueOptions.DEFAULT.headers(Map.of("a", "1")).unique("k").delay(Duration.ofSeconds(1));
    List<Call<?>> calls =
        List.of(
            new JobCalls.Enqueue(
                MAIL, List.of(new NewJob(bytes("one"), options)), Optional.empty()),
            new LeaseCalls.Claim(List.of(MAIL), List.of(), ClaimOptions.by("w").max(3)),
            new TableCalls.CountRows("t", TableRange.between(bytes("a"), bytes("b"))),
            new QueueCalls.Configure(
                Optional.of(MAIL),
                Optional.empty(),
                QueueSettings.DEFAULT,
                QueueSettings.DEFAULT.perKey(2),
                Optional.empty()));
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      refused += isRefused(calls.get(i % calls.size()), random) ? 1 : 0;
    }
    assertThat(refused).isBetween(1_000, 19_999);
  }

  private static <C extends Call<A>, A> boolean isRefused(Call<?> call, Random random) {
    @SuppressWarnings("unchecked")
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    @SuppressWarnings("unchecked")
    byte[] message = operation.encode((C) call);
    int changes = 1 + random.nextInt(3);
    for (int change = 0; change < changes; change++) {
      message[random.nextInt(message.length)] = (byte) random.nextInt();
    }
    try {
      operation.decode(Arrays.copyOf(message, message.length - random.nextInt(2)));
      return false;
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank().doesNotContain("null");
      return true;
    }
  }
}
