package io.millrace.outbox.jdbc;

import static io.millrace.outbox.jdbc.OutboxRig.MAIL;
import static io.millrace.outbox.jdbc.OutboxRig.await;
import static io.millrace.outbox.jdbc.OutboxRig.begin;
import static io.millrace.outbox.jdbc.OutboxRig.jobs;
import static io.millrace.outbox.jdbc.OutboxRig.payloads;
import static io.millrace.outbox.jdbc.OutboxRig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.engine.JobEngine;
import io.millrace.outbox.jdbc.RelayFigures.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays at work, on threads of their own. */
@Tag("slow")
@Timeout(120)
class OutboxRelayTest {

  private final JobEngine engine = JobEngine.open("memory:relay-" + UUID.randomUUID());
  private final DataSource database = OutboxRig.newDatabase();
  private final FaultySource faulty = new FaultySource(database);
  private final JdbcOutbox outbox = JdbcOutbox.on(faulty.source());

  @BeforeEach
  void createTable() throws SQLException {
    OutboxRig.outbox(database);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void rows_ofManyWriters_withSeveralRelays_areEnqueuedOnceEach() throws Exception {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    JdbcOutbox pooled = OutboxRig.outbox(pool);
    List<OutboxRelay> relays = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      relays.add(
          pooled.relay(
              engine,
              options ->
                  options
                      .pollEvery(Duration.ofMillis(10))
                      .batchCountMax(20)
                      .rememberFor(Duration.ZERO)));
    }
    List<String> committed = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      int number = writer;
      writers.add(CompletableFuture.runAsync(() -> writeMany(pool, pooled, number, committed)));
    }

    writers.forEach(CompletableFuture::join);
    await(() -> waiting(pooled) == 0);
    await(() -> jobs(engine).size() >= committed.size());
    relays.forEach(OutboxRelay::close);

    assertThat(payloads(engine)).containsExactlyInAnyOrderElementsOf(committed);
    assertThat(relays.stream().mapToLong(relay -> relay.figures().relayed()).sum())
        .isEqualTo(committed.size());
    assertThat(relays).extracting(relay -> relay.figures().state()).containsOnly(State.CLOSED);
    pool.dispose();
  }

  private static void writeMany(
      DataSource source, JdbcOutbox outbox, int writer, List<String> committed) {
    Random random = new Random(writer);
    try {
      for (int i = 0; i < 150; i++) {
        try (Connection connection = begin(source)) {
          List<String> texts = new ArrayList<>();
          for (int k = random.nextInt(4); k >= 0; k--) {
            texts.add(writer + "/" + i + "/" + k);
          }
          outbox.enqueueAll(connection, MAIL, texts);
          if (random.nextInt(4) == 0) {
            connection.rollback();
          } else {
            connection.commit();
            committed.addAll(texts);
          }
          connection.setAutoCommit(true);
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static long waiting(JdbcOutbox outbox) {
    try {
      return outbox.counts().waiting();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void hint_afterTheCommit_bringsTheJobLongBeforeTheNextLook() throws Exception {
    try (OutboxRelay relay =
        outbox.relay(engine, options -> options.pollEvery(Duration.ofHours(1)))) {
      for (int i = 1; i <= 20; i++) {
        write(database, outbox, "m" + i);
        relay.relayNow();
        int count = i;
        await(() -> jobs(engine).size() == count);
      }
      await(() -> relay.figures().relayed() == 20); // counted when it is told of the commit
    }
  }

  @Test
  void row_withoutAHint_isRelayedByTheNextLook() throws Exception {
    try (OutboxRelay relay = outbox.relay(engine)) {
      await(() -> relay.figures().state() == State.RUNNING);

      write(database, outbox, "Ada");

      await(() -> jobs(engine).size() == 1);
    }
  }

  @Test
  void database_thatIsAway_isAskedAgainUntilItIsThere() throws Exception {
    write(database, outbox, "Ada");
    faulty.away(true);
    try (OutboxRelay relay = outbox.relay(engine)) {
      await(() -> relay.figures().troubles() >= 3);
      RelayFigures figures = relay.figures();
      assertThat(figures.state()).isEqualTo(State.DATABASE_FAILS);
      assertThat(figures.trouble().orElseThrow()).contains("database is away");

      faulty.away(false);

      await(() -> jobs(engine).size() == 1);
      await(() -> relay.figures().state() == State.RUNNING);
      assertThat(relay.figures().trouble()).isEmpty();
    }
  }

  @Test
  void table_thatIsMissing_isToldAndWaitedFor() throws Exception {
    JdbcOutbox other = outbox.table("public.later_on");
    try (OutboxRelay relay = other.relay(engine)) {
      await(() -> relay.figures().state() == State.DATABASE_FAILS);
      assertThat(relay.figures().trouble().orElseThrow().toLowerCase(Locale.ROOT))
          .contains("later_on");

      try (Connection connection = database.getConnection()) {
        other.createTable(connection);
      }
      write(database, other, "Ada");

      await(() -> jobs(engine).size() == 1);
    }
  }

  @Test
  void relay_whoseDatabaseHangs_holdsUpNoOther() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    write(database, outbox, "first");
    faulty.before(
        "DELETE",
        () -> {
          hangs.countDown();
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new SQLException(e);
          }
        });
    try (OutboxRelay hanging = outbox.relay(engine)) {
      hangs.await();
      try (OutboxRelay other = JdbcOutbox.on(database).relay(engine)) {
        write(database, outbox, "second");
        await(() -> waiting(JdbcOutbox.on(database)) == 0);
        assertThat(other.figures().known()).isOne();
        assertThat(other.figures().relayed()).isOne();
      }
      end.countDown();
      await(() -> hanging.figures().batches() > 0);
    }
    assertThat(payloads(engine)).containsExactly("first", "second");
  }

  @Test
  void engine_thatIsClosed_endsTheRelay() throws Exception {
    OutboxRelay relay = outbox.relay(engine);
    await(() -> relay.figures().state() == State.RUNNING);

    engine.close();

    await(() -> relay.figures().state() == State.CLOSED);
    write(database, outbox, "Ada");
    relay.close();
    relay.close();
    assertThat(outbox.counts().waiting()).isOne();
  }

  @Test
  void queue_thatIsDrained_isToldAndOthersGoOn() throws Exception {
    assertThat(engine.queue("mail").drain(Duration.ZERO)).isNotNull();
    write(database, outbox, "Ada");
    write(database, outbox, MAIL.queue("other"), "Bob");
    try (OutboxRelay relay = outbox.relay(engine)) {
      await(() -> !relay.figures().refusing().isEmpty());
      await(() -> jobs(engine).size() == 1);
      assertThat(relay.figures().refusing()).containsExactly(MAIL.queueName());
      assertThat(relay.figures().state()).isEqualTo(State.RUNNING);

      engine.queue("mail").endDrain();

      await(() -> jobs(engine).size() == 2);
      await(() -> relay.figures().refusing().isEmpty());
    }
  }

  @Test
  void options_outOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outbox.relay(engine, options -> options.batchCountMax(0)))
        .withMessage("batchCountMax is out of range: value=0, least=1, most=5000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outbox.table("orders; DROP TABLE x"))
        .withMessageStartingWith("table has a name that cannot be used: value=\"orders; DROP");
    assertThatIllegalArgumentException().isThrownBy(() -> outbox.named(""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outbox.named("a\0b"))
        .withMessageStartingWith("name has the character U+0000");
  }
}
