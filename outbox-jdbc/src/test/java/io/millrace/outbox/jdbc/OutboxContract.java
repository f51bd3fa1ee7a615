package io.millrace.outbox.jdbc;

import static io.millrace.outbox.jdbc.OutboxRig.MAIL;
import static io.millrace.outbox.jdbc.OutboxRig.begin;
import static io.millrace.outbox.jdbc.OutboxRig.jobs;
import static io.millrace.outbox.jdbc.OutboxRig.payloads;
import static io.millrace.outbox.jdbc.OutboxRig.round;
import static io.millrace.outbox.jdbc.OutboxRig.sql;
import static io.millrace.outbox.jdbc.OutboxRig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.outbox.jdbc.Ownership.ForeignOutboxException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tests of outboxes that each database passes. */
@Timeout(120)
abstract class OutboxContract {

  final JobEngine engine = JobEngine.open("memory:outbox-" + UUID.randomUUID());
  DataSource source;
  JdbcOutbox outbox;

  abstract DataSource newSource() throws SQLException;

  Optional<Dialect> dialect() {
    return Optional.empty();
  }

  @BeforeEach
  void createTable() throws SQLException {
    source = newSource();
    outbox = JdbcOutbox.on(source);
    for (int i = 0; i < 2; i++) { // the second finds it
      try (Connection connection = source.getConnection()) {
        if (dialect().isPresent()) {
          outbox.createTable(connection, dialect().get());
        } else {
          outbox.createTable(connection);
        }
      }
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Job onlyJob() {
    List<Job> jobs = jobs(engine);
    assertThat(jobs).hasSize(1);
    return jobs.get(0);
  }

  @Test
  void row_committed_becomesItsJobAndIsGone() throws SQLException {
    UUID row;
    try (Connection connection = begin(source)) {
      row =
          outbox.enqueue(
              connection,
              MAIL.tenant("acme"),
              "Ada",
              options -> options.priority(5).header("a", "b").unique("welcome:ada"));
      assertThat(round(outbox, engine).run()).isFalse();
      assertThat(jobs(engine)).as("before the commit").isEmpty();

      connection.commit();
    }
    assertThat(outbox.counts().waiting()).isOne();
    round(outbox, engine).run();

    Job job = onlyJob();
    assertThat(job.payload(MAIL)).isEqualTo("Ada");
    assertThat(job.queue()).isEqualTo(new QueueName("mail", "acme"));
    assertThat(job.priority()).isEqualTo(5);
    assertThat(job.headers()).containsEntry("a", "b");
    assertThat(outbox.counts()).isEqualTo(new OutboxCounts(0, 0, Optional.empty()));
    assertThat(outbox.jobOf(engine, row)).contains(job.id());
  }

  @Test
  void row_rolledBack_becomesNothing() throws SQLException {
    try (Connection connection = begin(source)) {
      outbox.enqueue(connection, MAIL, "Ada");
      connection.rollback();
    }
    write(source, outbox, "Bob");

    round(outbox, engine).run();

    assertThat(payloads(engine)).containsExactly("Bob");
  }

  @Test
  void rows_committedInAnotherOrderThanTheirIds_areAllRelayed() throws SQLException {
    RelayRound round = round(outbox, engine);
    try (Connection slow = begin(source)) {
      outbox.enqueue(slow, MAIL, "first written, last committed");
      write(source, outbox, "second");
      round.run();
      write(source, outbox, "third");
      round.run();
      assertThat(payloads(engine)).containsExactlyInAnyOrder("second", "third");
      slow.commit();
    }

    round.run();

    assertThat(payloads(engine))
        .containsExactlyInAnyOrder("first written, last committed", "second", "third");
    assertThat(outbox.counts().waiting()).isZero();
  }

  @Test
  void rows_ofOneTransaction_areRelayedInTheirOrder() throws SQLException {
    List<String> texts = IntStream.range(0, 1_200).mapToObj(i -> "m" + i).toList();
    try (Connection connection = begin(source)) {
      assertThat(outbox.enqueueAll(connection, MAIL, texts)).doesNotHaveDuplicates().isSorted();
      assertThat(outbox.enqueueAll(connection, MAIL, List.of())).isEmpty();
      connection.commit();
    }
    RelayRound round = round(outbox, engine);

    assertThat(List.of(round.run(), round.run(), round.run())).containsExactly(true, true, false);

    assertThat(payloads(engine)).containsExactlyElementsOf(texts);
    assertThat(outbox.counts().waiting()).isZero();
  }

  @Test
  void payload_ofTheGreatestLength_isRelayedAndALongerOneRefused() throws SQLException {
    byte[] large = new byte[Limits.PAYLOAD_BYTES_MAX];
    new Random(1).nextBytes(large);
    QueueName queue = QueueName.of("files");
    try (Connection connection = begin(source)) {
      outbox.enqueue(connection, queue, large, EnqueueOptions.DEFAULT);
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  outbox.enqueue(
                      connection, queue, new byte[large.length + 1], EnqueueOptions.DEFAULT))
          .withMessageContaining("16777217");
      outbox.enqueue(connection, queue, new byte[0], EnqueueOptions.DEFAULT);
      connection.commit(); // what was refused did no harm to the transaction
    }
    RelayRound round = round(outbox, engine);

    assertThat(round.run()).as("one at a time, for their bytes").isTrue();
    round.run();

    assertThat(jobs(engine).stream().map(job -> job.payload().length))
        .containsExactly(large.length, 0);
    assertThat(jobs(engine).get(0).payload()).isEqualTo(large);
  }

  @Test
  void connection_inAutoCommitMode_isRefused() throws SQLException {
    try (Connection connection = source.getConnection()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> outbox.enqueue(connection, MAIL, "Ada"))
          .withMessageStartingWith("connection is in auto-commit mode");
    }
    assertThat(outbox.counts().waiting()).isZero();
  }

  @Test
  void delayAndTimeToLive_areCountedFromTheEnqueue() throws SQLException {
    JobType<String> later =
        MAIL.defaults(
            options -> options.delay(Duration.ofHours(2)).timeToLive(Duration.ofHours(5)));
    write(source, outbox, later, "Ada");
    sql(source, "UPDATE millrace_outbox SET created_ms = created_ms - 3600000");
    Instant hourFromNow = engine.now().plus(Duration.ofHours(1));

    round(outbox, engine).run();

    Job job = onlyJob();
    assertThat(job.state()).isEqualTo(JobState.DELAYED);
    assertThat(Duration.between(hourFromNow, job.visibleAt().orElseThrow()).abs())
        .isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void rows_thatCannotBeUnderstood_areSetAsideUntilTheyAreMended() throws SQLException {
    write(source, outbox, "bad");
    sql(source, "UPDATE millrace_outbox SET queue = ''");
    write(source, outbox, "good");
    RelayRound round = round(outbox, engine);

    round.run();
    round.run();

    assertThat(payloads(engine)).containsExactly("good");
    OutboxCounts counts = outbox.counts();
    assertThat(List.of(counts.waiting(), counts.failed())).containsExactly(0L, 1L);

    sql(source, "UPDATE millrace_outbox SET queue = 'mail'");
    assertThat(outbox.retryFailed()).isOne();
    round.run();

    assertThat(payloads(engine)).containsExactlyInAnyOrder("good", "bad");
    assertThat(outbox.counts().failed()).isZero();
  }

  @Test
  void outboxes_ofOneTable_haveRowsOfTheirOwn() throws SQLException {
    JdbcOutbox other = outbox.named("other");
    write(source, outbox, "mine");
    write(source, other, "its");

    round(outbox, engine).run();

    assertThat(payloads(engine)).containsExactly("mine");
    assertThat(other.counts().waiting()).isOne();
  }

  @Test
  void engine_thatIsNotTheOwner_isRefusedUntilItTakesOver() throws SQLException {
    round(outbox, engine).run();
    write(source, outbox, "Ada");
    try (JobEngine second = JobEngine.open("memory:second-" + UUID.randomUUID())) {
      RelayRound foreign = round(outbox, second);

      Assertions.assertThatThrownBy(foreign::run)
          .isInstanceOf(ForeignOutboxException.class)
          .hasMessageStartingWith("outbox is relayed into another engine: outbox=\"default\"");
      assertThat(jobs(second)).isEmpty();

      assertThat(outbox.takeOver(second)).isPresent();
      assertThat(outbox.takeOver(second)).as("it is that already").isEmpty();
      foreign.run();
      assertThat(payloads(second)).containsExactly("Ada");
      Assertions.assertThatThrownBy(() -> round(outbox, engine).run())
          .isInstanceOf(ForeignOutboxException.class);
    }
  }

  @Test
  void notes_ofRowsThatAreGone_goAfterTheirTime() throws SQLException {
    UUID row = write(source, outbox, "Ada");
    RelayRound forgetful = round(outbox, engine, options -> options.rememberFor(Duration.ZERO));
    RelayRound careful = round(outbox, engine);
    careful.run();
    careful.run();
    Optional<JobId> job = outbox.jobOf(engine, row);
    assertThat(job).isPresent();

    forgetful.run();

    assertThat(outbox.jobOf(engine, row)).isEmpty();
    assertThat(engine.get(job.get())).isPresent();
  }

  @Test
  void rowThatComesBack_afterItWasDeleted_isKnown() throws SQLException {
    write(source, outbox, "Ada");
    sql(source, "CREATE TABLE backup_of_it AS SELECT * FROM millrace_outbox");
    RelayRound round = round(outbox, engine);
    round.run();
    sql(source, "INSERT INTO millrace_outbox SELECT * FROM backup_of_it");

    round.run();

    assertThat(payloads(engine)).containsExactly("Ada");
    assertThat(outbox.counts().waiting()).isZero();
  }

  @Test
  void work_ofAJob_isDoneOnce() throws SQLException {
    OncePerJob once = OncePerJob.on(source, engine);
    try (Connection connection = source.getConnection()) {
      once.createTable(connection, dialect().orElse(Dialect.of(connection)));
    }
    JobId job = engine.enqueue(MAIL, "Ada").jobId();
    JobId other = engine.enqueue(MAIL, "Bob").jobId();
    sql(source, "CREATE TABLE booked (amount INTEGER)");
    DatabaseWork<RuntimeException> work =
        connection -> connection.createStatement().execute("INSERT INTO booked VALUES (1)");

    Assertions.assertThatThrownBy(
            () ->
                once.run(
                    job,
                    connection -> {
                      work.run(connection);
                      throw new IllegalStateException("after the effect");
                    }))
        .hasMessage("after the effect");
    List<Boolean> answers =
        List.of(once.run(job, work), once.run(job, work), once.run(other, work));

    assertThat(answers).containsExactly(true, false, true);
    try (Connection connection = source.getConnection();
        ResultSet sum =
            connection.createStatement().executeQuery("SELECT SUM(amount) FROM booked")) {
      sum.next();
      assertThat(sum.getInt(1)).isEqualTo(2);
    }
    assertThat(once.forget(Duration.ofDays(1))).isZero();
    sql(source, "UPDATE millrace_processed SET done_ms = done_ms - 90000000");
    assertThat(once.forget(Duration.ofDays(1))).isEqualTo(2);
  }

  @Test
  void type_withCodecOfItsOwn_isReadByItsQueue() throws SQLException {
    JobType<Long> numbers = JobType.of("numbers", Codec.LONG).queue("sums");
    try (Connection connection = begin(source)) {
      outbox.enqueue(connection, numbers, 42L);
      connection.commit();
    }

    round(outbox, engine).run();

    assertThat(onlyJob().payload(numbers)).isEqualTo(42L);
    assertThat(onlyJob().queue()).isEqualTo(QueueName.of("sums"));
  }
}
