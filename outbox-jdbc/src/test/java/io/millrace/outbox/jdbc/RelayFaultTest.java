package io.millrace.outbox.jdbc;

import static io.millrace.outbox.jdbc.FaultySource.failing;
import static io.millrace.outbox.jdbc.OutboxRig.MAIL;
import static io.millrace.outbox.jdbc.OutboxRig.begin;
import static io.millrace.outbox.jdbc.OutboxRig.jobs;
import static io.millrace.outbox.jdbc.OutboxRig.outbox;
import static io.millrace.outbox.jdbc.OutboxRig.payloads;
import static io.millrace.outbox.jdbc.OutboxRig.round;
import static io.millrace.outbox.jdbc.OutboxRig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looks at the table in which something fails, or somebody else is faster. */
@Timeout(120)
class RelayFaultTest {

  private static final JobType<String> SMS = JobType.of("sms", Codec.TEXT);

  private final FaultyStore machine = new FaultyStore(11);
  private final DataSource database = OutboxRig.newDatabase();
  private final FaultySource faulty = new FaultySource(database);
  private final JdbcOutbox outbox = JdbcOutbox.on(faulty.source());
  private JobEngine engine = open();

  private JobEngine open() {
    return JobEngine.open(
        machine,
        StoreOptions.of(Path.of("outbox")),
        EngineOptions.DEFAULT.reopenAfter(Collections.nCopies(20, Duration.ofMillis(20))));
  }

  @BeforeEach
  void createTable() throws SQLException {
    outbox(database);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private void completeAll() {
    Optional<Lease> lease = engine.queue("mail").claim("worker", Duration.ofSeconds(30));
    while (lease.isPresent()) {
      lease.get().complete().orThrow();
      lease = engine.queue("mail").claim("worker", Duration.ofSeconds(30));
    }
  }

  @Test
  void row_thatCouldNotBeDeleted_isNotEnqueuedAgainThoughItsJobIsDone() throws SQLException {
    write(database, outbox, "Ada");
    RelayRound round = round(outbox, engine);
    faulty.before("DELETE", failing("connection is lost"));

    assertThatThrownBy(round::run).hasMessage("connection is lost");
    assertThat(payloads(engine)).containsExactly("Ada");
    completeAll();
    assertThat(round.run()).isFalse();

    assertThat(jobs(engine)).isEmpty();
    assertThat(outbox.counts().waiting()).isZero();
  }

  @Test
  void note_ofARowThatStands_isKeptHoweverOldItIs() throws SQLException {
    UUID row = write(database, outbox, "Ada");
    RelayRound round = round(outbox, engine, options -> options.rememberFor(Duration.ZERO));
    AtomicInteger deletes = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      faulty.before(
          "DELETE",
          () -> {
            deletes.incrementAndGet();
            throw new SQLException("connection is lost", "08006");
          });
      assertThatThrownBy(round::run).hasMessage("connection is lost");
      completeAll();
    }
    faulty.before("DELETE", () -> {});

    // The sweep alone, while the row is still there.
    Notes notes = new Notes(engine, JdbcOutbox.NAME_DEFAULT);
    OutboxSql sql = new OutboxSql(JdbcOutbox.TABLE_DEFAULT, JdbcOutbox.NAME_DEFAULT);
    try (Connection connection = database.getConnection()) {
      new NoteSweep(notes, sql, 0, 0).step(connection, Long.MAX_VALUE / 2, 0);
      assertThat(outbox.jobOf(engine, row)).isPresent();

      sql.delete(connection, List.of(row.toString()));
      new NoteSweep(notes, sql, 0, 0).step(connection, Long.MAX_VALUE / 2, 0);
      assertThat(outbox.jobOf(engine, row)).isEmpty();
    }
    assertThat(deletes).hasValue(3);
    assertThat(jobs(engine)).isEmpty();
  }

  @Test
  void delete_whoseAnswerIsLost_leavesNothingBehindButTheNote() throws SQLException {
    UUID row = write(database, outbox, "Ada");
    RelayRound round = round(outbox, engine);
    faulty.after("DELETE", failing("connection is lost"));

    assertThatThrownBy(round::run).hasMessage("connection is lost");
    completeAll();
    round.run();

    assertThat(jobs(engine)).isEmpty();
    assertThat(outbox.jobOf(engine, row)).isPresent();
  }

  @Test
  void relayThatWasHeldUp_afterItsRowsWereRelayedAndForgotten_enqueuesNothing() throws Exception {
    write(database, outbox, "Ada");
    CountDownLatch hasRead = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    // It has the ids and, if it is held up at the second query, the rows as well.
    faulty.after(
        "SELECT",
        () ->
            faulty.after(
                "SELECT",
                () ->
                    faulty.after(
                        "SELECT",
                        () -> {
                          hasRead.countDown();
                          awaitUninterrupted(goOn);
                        })));
    RelayRound slow = round(outbox, engine);
    CompletableFuture<Boolean> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return slow.run();
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
    awaitUninterrupted(hasRead);

    // Meanwhile another one does it all.
    RelayRound quick =
        round(JdbcOutbox.on(database), engine, options -> options.rememberFor(Duration.ZERO));
    quick.run();
    completeAll();
    assertThat(outbox.counts().waiting()).isZero();
    goOn.countDown();

    assertThat(answer.join()).as("it has to look again").isTrue();
    assertThat(jobs(engine)).isEmpty();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void commitWhoseOutcomeIsUnknown_isFoundOutByTheNextLook() throws SQLException {
    for (Fault fault : List.of(Fault.BEFORE, Fault.UNKNOWN, Fault.AFTER)) {
      write(database, outbox, fault.name());
      RelayRound round = round(outbox, engine);
      round(outbox.named("other"), engine).run(); // the engine has its id, this one is warm
      machine.failNext(StoreCall.WRITE, fault);
      assertThatThrownBy(round::run).isInstanceOf(MillraceException.class);
      OutboxRig.await(() -> succeeds(round));
    }

    assertThat(payloads(engine)).containsExactlyInAnyOrder("BEFORE", "UNKNOWN", "AFTER");
    assertThat(outbox.counts().waiting()).isZero();
  }

  private static boolean succeeds(RelayRound round) {
    try {
      round.run();
      return true;
    } catch (MillraceException e) {
      return false; // the engine opens its store again
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Many times, for the engine syncs by itself soon after, and what is lost is up to chance. */
  @Test
  void power_lostAfterTheRelay_leavesTheJob() throws SQLException {
    engine.close();
    FaultyStore cut = new FaultyStore(5);
    EngineOptions buffered =
        EngineOptions.DEFAULT.durability(Durability.BUFFERED).reopenAfter(List.of());
    StoreOptions place = StoreOptions.of(Path.of("buffered"));
    List<String> relayed = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      JobEngine lost = JobEngine.open(cut, place, buffered);
      RelayRound round = round(outbox, lost);
      round.run();
      relayed.add("m" + i);
      write(database, outbox, "m" + i);
      round.run();
      cut.crash();
      assertThat(outbox.counts().waiting()).isZero();
      closeWithoutPower(lost);
    }

    try (JobEngine again = JobEngine.open(cut, place, buffered)) {
      assertThat(payloads(again)).containsExactlyElementsOf(relayed);
    }
  }

  private static void closeWithoutPower(JobEngine lost) {
    try {
      lost.close();
    } catch (MillraceException e) {
      // A store that failed says so once more.
      assertThat(e).isNotNull();
    }
  }

  @Test
  void queueThatIsFull_takesWhatItHasRoomFor_andHoldsUpNobody() throws SQLException {
    engine.queue("mail").configure(settings -> settings.depthMax(3));
    try (Connection connection = begin(database)) {
      for (int i = 0; i < 8; i++) {
        outbox.enqueue(connection, MAIL, "mail " + i);
        outbox.enqueue(connection, SMS, "sms " + i);
      }
      connection.commit();
    }
    RelayRound round = round(outbox, engine, options -> options.batchCountMax(10));

    for (int i = 0; i < 10 && round.run(); i++) {}

    assertThat(payloads(engine).stream().filter(text -> text.startsWith("mail")))
        .containsExactly("mail 0", "mail 1", "mail 2");
    assertThat(payloads(engine).stream().filter(text -> text.startsWith("sms"))).hasSize(8);
    assertThat(outbox.counts().waiting()).isEqualTo(5);

    completeAll();
    OutboxRig.await(
        () -> {
          succeeds(round);
          return engine.stats(QueueName.of("mail")).orElseThrow().count(JobState.READY) == 3;
        });
    assertThat(payloads(engine).stream().filter(text -> text.startsWith("mail")))
        .containsExactly("mail 3", "mail 4", "mail 5");
  }

  @Test
  void rowsOfAQueueThatTakesNone_moreThanABatch_areNotInTheWayOfOthers() throws SQLException {
    assertThat(engine.queue("mail").drain(Duration.ZERO)).isNotNull();
    try (Connection connection = begin(database)) {
      outbox.enqueueAll(connection, MAIL, Collections.nCopies(35, "mail"));
      outbox.enqueue(connection, SMS, "sms");
      connection.commit();
    }
    RelayRound round = round(outbox, engine, options -> options.batchCountMax(10));

    round.run();
    round.run();

    assertThat(payloads(engine)).containsExactly("sms");
    assertThat(outbox.counts().waiting()).isEqualTo(35);
  }

  @Test
  void rowsThatAreTooMuchForOneCommit_areRelayedInSeveral() throws SQLException {
    String long8 = "x".repeat(8_000);
    JobType<String> headed = SMS.defaults(options -> options.header("h", long8));
    try (Connection connection = begin(database)) {
      outbox.enqueueAll(connection, headed, Collections.nCopies(4_500, "m"));
      connection.commit();
    }

    assertThat(round(outbox, engine, options -> options.batchCountMax(5_000)).run()).isFalse();

    assertThat(engine.stats(QueueName.of("sms")).orElseThrow().count(JobState.READY))
        .isEqualTo(4_500);
    assertThat(outbox.counts().waiting()).isZero();
  }

  @Test
  void relayThatIsClosed_whileItReads_enqueuesNothing() throws SQLException {
    write(database, outbox, "Ada");
    RelayRound closed =
        new RelayRound(
            outbox.parts(engine, RelayOptions.DEFAULT), RelayOptions.DEFAULT, () -> true);

    closed.run();

    assertThat(jobs(engine)).isEmpty();
    assertThat(outbox.counts().waiting()).isOne();
  }
}
