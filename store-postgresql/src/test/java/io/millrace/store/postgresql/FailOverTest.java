package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database whose primary dies, and whose standby takes its place. */
@Tag("slow")
@Timeout(120)
class FailOverTest {

  private static final int ENQUEUERS = 4;

  /** A primary, and a standby that has each commit before it is acknowledged, or not. */
  private record Servers(PostgresServer primary, PostgresServer standby) implements AutoCloseable {

    static Servers start(boolean isSynchronous) {
      PostgresServer primary = PostgresServer.make();
      PostgresServer standby = primary.newStandby();
      primary.write("postgresql.auto.conf", isSynchronous ? "synchronous_standby_names='*'\n" : "");
      primary.start();
      standby.start();
      String state = isSynchronous ? "sync" : "async";
      while (!answer(primary, "select sync_state from pg_stat_replication").equals(state)) {
        Thread.onSpinWait();
      }
      return new Servers(primary, standby);
    }

    StoreOptions options() {
      return StoreOptions.of(
          "//test@127.0.0.1:%s,127.0.0.1:%s/postgres?reconnectSeconds=60"
              .formatted(primary.port(), standby.port()));
    }

    @Override
    public void close() {
      standby.close();
      primary.close();
    }
  }

  private static String answer(PostgresServer server, String query) {
    try (Connection connection = TestServer.connect(server.port());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(1) : "";
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void synchronousStandby_isPromotedUnderLoad_nothingIsLostOrDoneTwice() throws Exception {
    failOverUnderLoad();
  }

  @Tag("thorough")
  @RepeatedTest(10)
  void synchronousStandby_isPromotedUnderLoadAgainAndAgain_nothingIsLostOrDoneTwice()
      throws Exception {
    failOverUnderLoad();
  }

  /** Enqueues and works while the primary dies; no call may fail. */
  private static void failOverUnderLoad() throws Exception {
    try (Servers servers = Servers.start(true)) {
      Set<String> acknowledged = new ConcurrentSkipListSet<>();
      List<String> completed = new ArrayList<>();
      AtomicInteger names = new AtomicInteger();
      AtomicBoolean isOver = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(ENQUEUERS + 1);
      try (JobEngine engine =
          JobEngine.open(new PostgresStoreFactory(), servers.options(), EngineOptions.DEFAULT)) {
        JobQueue mail = engine.queue("mail");
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < ENQUEUERS; i++) {
          calls.add(
              threads.submit(
                  () -> {
                    while (!isOver.get()) {
                      String name = "job " + names.incrementAndGet();
                      mail.enqueue(name.getBytes(UTF_8));
                      acknowledged.add(name);
                    }
                  }));
        }
        calls.add(
            threads.submit(
                () -> {
                  while (!isOver.get()) {
                    work(mail, completed);
                  }
                }));
        awaitMore(acknowledged, 50);
        servers.primary.crash();
        servers.standby.promote();
        awaitMore(acknowledged, 50);
        isOver.set(true);
        for (Future<?> call : calls) {
          call.get();
        }
        while (mail.stats().orElseThrow().count(JobState.READY) > 0) {
          work(mail, completed);
        }
        assertThat(engine.verify().isClean()).isTrue();
      } finally {
        isOver.set(true);
        threads.shutdownNow();
      }

      assertThat(completed)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(acknowledged);
      // The owner has written down which history the store is on now: nobody is refused.
      new PostgresStoreFactory().open(servers.options()).close();
      assertThat(answer(servers.standby, "select max(epoch) from millrace.millrace_epoch"))
          .isEqualTo("2");
    }
  }

  private static void work(JobQueue mail, List<String> completed) {
    for (Lease lease : mail.claim(ClaimOptions.by("worker").max(20))) {
      assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
      completed.add(new String(lease.payload(), UTF_8));
    }
  }

  private static void awaitMore(Set<String> acknowledged, int count) {
    int before = acknowledged.size();
    while (acknowledged.size() < before + count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void asynchronousStandby_lacksCommits_ownerStopsAndOpeningsAreRefusedUntilLossIsAccepted() {
    try (Servers servers = Servers.start(false)) {
      PostgresStoreFactory factory = new PostgresStoreFactory();
      OrderedStore store = factory.open(servers.options().ownedFor(Duration.ofSeconds(2)));
      write(store);
      while (!isReplayed(servers)) {
        Thread.onSpinWait();
      }
      TestServer.execute(servers.standby.port(), "select pg_wal_replay_pause()");
      // A standby that is away gets nothing more.
      servers.standby.stop();
      write(store);
      servers.primary.crash();
      servers.standby.start();
      servers.standby.promote();

      assertThatThrownBy(() -> write(store))
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("database has lost commits")
          .hasMessageContaining("n=1, lastCommit=2, syncedCommit=2");
      store.close();
      assertThatThrownBy(() -> factory.open(servers.options()))
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining("lostCommits=ACCEPT");
      OrderedStore accepted = factory.open(servers.options().lostCommits(LostCommits.ACCEPT));
      assertThat(accepted.lastCommit()).isEqualTo(1);
      assertThat(accepted.epoch()).isEqualTo(1_001);
      write(accepted);
      accepted.close();
    }
  }

  @Test
  void asynchronousStandby_hasAllCommits_ownerGoesOnAndNobodyIsRefusedLater() {
    try (Servers servers = Servers.start(false)) {
      PostgresStoreFactory factory = new PostgresStoreFactory();
      OrderedStore store = factory.open(servers.options());
      write(store);
      while (!isReplayed(servers)) {
        Thread.onSpinWait();
      }
      servers.primary.crash();
      servers.standby.promote();

      write(store);
      store.close();

      OrderedStore next = factory.open(servers.options());
      assertThat(next.lastCommit()).isEqualTo(2);
      assertThat(next.epoch()).isEqualTo(2);
      next.close();
    }
  }

  private static boolean isReplayed(Servers servers) {
    return answer(
            servers.primary, "select pg_current_wal_lsn() <= replay_lsn from pg_stat_replication")
        .equals("t");
  }

  private static void write(OrderedStore store) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.put(new byte[] {1}, new byte[] {2});
    store.write(batch);
  }
}
