package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class JobTypeTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  @Test
  void of_name_isQueueAndTypeOfItsJobs() {
    NewJob job = MAIL.newJob("ada");

    assertThat(MAIL.name()).isEqualTo("mail");
    assertThat(MAIL.queueName()).isEqualTo(QueueName.of("mail"));
    assertThat(job.payload()).asString().isEqualTo("ada");
    assertThat(job.options().type()).contains("mail");
    assertThat(job.options().headers())
        .isEqualTo(Map.of("content-type", "text/plain; charset=utf-8"));
  }

  @Test
  void of_codecWithoutContentType_setsNoHeader() {
    assertThat(JobType.of("mail", Codec.LONG).newJob(7L).options().headers()).isEmpty();
  }

  @Test
  void queueAndTenant_inAnyOrder_keepEachOther() {
    QueueName expected = new QueueName("slow", "acme");

    assertThat(MAIL.queue("slow").tenant("acme").queueName()).isEqualTo(expected);
    assertThat(MAIL.tenant("acme").queue("slow").queueName()).isEqualTo(expected);
    assertThat(MAIL.queueName()).isEqualTo(QueueName.of("mail"));
    assertThat(MAIL.queue("slow").newJob("ada").options().type()).contains("mail");
  }

  @Test
  void defaults_severalTimes_addUp() {
    JobType<String> type = MAIL.defaults(o -> o.maxAttempts(9)).defaults(o -> o.priority(3));

    EnqueueOptions options =
        type.newJob("ada", o -> o.priority(4).header("content-type", "text/csv")).options();

    assertThat(options.maxAttempts()).hasValue(9);
    assertThat(options.priority()).isEqualTo(4);
    assertThat(options.headers()).isEqualTo(Map.of("content-type", "text/csv"));
    assertThat(type.newJob("ada").options().priority()).isEqualTo(3);
  }

  @Test
  void newJob_optionsOfAnotherType_areRefused() {
    UnaryOperator<EnqueueOptions> otherType = options -> options.type("letter");
    UnaryOperator<EnqueueOptions> none = options -> EnqueueOptions.DEFAULT;

    assertThatThrownBy(() -> MAIL.newJob("ada", otherType))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=letter, allowed=mail");
    assertThatThrownBy(() -> MAIL.defaults(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=none, allowed=mail");
  }

  @Test
  void returning_thenChanged_keepsItsResults() {
    ResultJobType<String, Long> count =
        MAIL.returning(Codec.LONG)
            .queue("count")
            .tenant("acme")
            .defaults(options -> options.resultRetention(Duration.ofHours(1)));

    assertThat(count.results()).isSameAs(Codec.LONG);
    assertThat(count.queueName()).isEqualTo(new QueueName("count", "acme"));
    assertThat(count.options().resultRetention()).contains(Duration.ofHours(1));
    assertThat(count.name()).isEqualTo("mail");
  }

  @Test
  void submitted_readByACodec_isCancelledWithIt() {
    CompletableFuture<JobEnd<byte[]>> bytes = new CompletableFuture<>();
    JobId id = new JobId(1, 2);

    Submitted<Long> typed = Submitted.of(new Submitted<>(id, bytes), Codec.LONG);
    boolean wasDone = typed.end().isDone();
    typed.end().cancel(true);

    assertThat(wasDone).isFalse();
    assertThat(typed.jobId()).isEqualTo(id);
    assertThat(bytes).isCancelled();
  }

  @Test
  void submitted_resultIsNoneOfTheType_failsOfThat() {
    CompletableFuture<JobEnd<byte[]>> bytes = new CompletableFuture<>();
    Submitted<Long> typed = Submitted.of(new Submitted<>(new JobId(1, 2), bytes), Codec.LONG);

    bytes.complete(new JobEnd.Completed<>(new byte[3]));

    assertThat(typed.end()).isCompletedExceptionally();
    assertThatThrownBy(() -> Objects.requireNonNull(typed.end().join()))
        .hasCauseInstanceOf(CodecException.class);
  }

  @Test
  void map_endsWithoutAResult_stayWhatTheyAre() {
    assertThat(new JobEnd.Died<byte[]>("io", 3).map(Codec.LONG::decode))
        .isEqualTo(new JobEnd.Died<Long>("io", 3));
    assertThat(new JobEnd.Cancelled<byte[]>().map(Codec.LONG::decode))
        .isEqualTo(new JobEnd.Cancelled<Long>());
    assertThat(new JobEnd.Dropped<byte[]>().map(Codec.LONG::decode))
        .isEqualTo(new JobEnd.Dropped<Long>());
    assertThat(new JobEnd.Gone<byte[]>().map(Codec.LONG::decode))
        .isEqualTo(new JobEnd.Gone<Long>());
  }
}
