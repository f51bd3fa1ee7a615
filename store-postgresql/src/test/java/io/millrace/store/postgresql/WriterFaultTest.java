package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.OwnerName;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.PostgresServer;
import io.millrace.store.postgresql.FaultProxy.Fault;
import io.millrace.store.postgresql.FaultProxy.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of faults on the way to the database and in it: each outcome is found out. */
@Tag("slow")
@Timeout(60)
class WriterFaultTest {

  private static final byte[] COUNTER = "counter".getBytes(UTF_8);

  private final PostgresPlace place = new PostgresPlace();
  private final PostgresPlace.PostgresLink link = place.newLink();
  private final FaultProxy proxy = link.proxy();
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private OrderedStore store = link.open(place.options().ownedFor(StoreOptions.OWNED_FOR_LEAST));

  @AfterEach
  void close() {
    other.shutdownNow();
    proxy.heal();
    try {
      store.close();
    } catch (StoreException e) {
      assertThat(e).isInstanceOf(StoreFailedException.class);
    }
    place.close();
  }

  /** Writes the number of the batch, and a row that is there once for each batch. */
  private static void write(OrderedStore store, WriteBatch.Wanted wanted) {
    long number = store.lastCommit() + 1;
    WriteBatch batch = new WriteBatch(number);
    batch.put(COUNTER, Long.toString(number).getBytes(UTF_8));
    batch.putNew(("row " + number).getBytes(UTF_8), new byte[0]);
    batch.want(wanted);
    store.write(batch);
  }

  private void write() {
    write(store, WriteBatch.Wanted.SYNCED);
  }

  private void assertWritten(long count) {
    assertWritten(store, count);
  }

  private static void assertWritten(OrderedStore store, long count) {
    assertThat(store.lastCommit()).isEqualTo(count);
    List<String> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      assertThat(new String(view.get(COUNTER), UTF_8)).isEqualTo(Long.toString(count));
      view.scan(
          "row".getBytes(UTF_8),
          "rox".getBytes(UTF_8),
          Integer.MAX_VALUE,
          (key, value) -> keys.add(new String(key, UTF_8)));
    }
    assertThat(keys).hasSize((int) count).doesNotHaveDuplicates();
  }

  private String table(String name) {
    return place.schema() + ".millrace_" + name;
  }

  @ParameterizedTest
  @EnumSource
  void write_connectionIsReset_happensOnce(Moment moment) {
    write();
    proxy.plan(PostgresPlace.WRITE, moment, Fault.RESET);

    write();

    assertThat(proxy.isPlanned()).isFalse();
    assertWritten(2);
    write();
    assertWritten(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"WITHIN", "AFTER"})
  void write_connectionFallsSilent_happensOnceWhenItsTimeIsOver(Moment moment) {
    write();
    proxy.plan(PostgresPlace.WRITE, moment, Fault.FREEZE);

    write();

    assertThat(proxy.isPlanned()).isFalse();
    assertWritten(2);
  }

  @Test
  void write_statementOfABrokenConnectionStillRuns_isWaitedFor() throws Exception {
    write();
    try (Connection connection = TestServer.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select 1 from " + table("guard") + " for update");
      proxy.plan(PostgresPlace.WRITE, Moment.SENT, Fault.RESET);
      Thread releasing =
          new Thread(
              () -> {
                awaitWaiting(2);
                try {
                  connection.rollback();
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
              });
      releasing.start();

      write();
      releasing.join();
    }

    assertWritten(2);
  }

  /** Waits until so many calls of our function wait for a lock. */
  private void awaitWaiting(int count) {
    String query =
        "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%"
            + place.schema()
            + "%millrace_write(%'";
    long seen = 0;
    while (seen < count) {
      seen = TestServer.number(query);
    }
  }

  @Test
  void write_backendWasEnded_connectsAnew() {
    write();
    TestServer.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace'"
            + " and query like '%"
            + place.schema()
            + "%'");

    write();

    assertWritten(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"set n = n - 1", "set n = n + 7", "set epoch = epoch - 1"})
  void write_guardWasMovedByNobodyWeKnow_isRefusedForGood(String how) {
    write();
    write();
    TestServer.execute("update " + table("guard") + " " + how);

    assertThatThrownBy(this::write)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("database has lost commits")
        .hasMessageContaining("lastCommit=2, syncedCommit=2");
    assertThatThrownBy(this::write)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("open the store again");
    assertThatThrownBy(store::settle).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);
    store.close();
    place.letPass(StoreOptions.OWNED_FOR_DEFAULT);
    store = link.open(place.options());
    write();
  }

  @Test
  void write_tablesAreGone_fails() {
    write();
    TestServer.execute("drop schema " + place.schema() + " cascade");

    assertThatThrownBy(this::write)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("state=3F000");
  }

  @Test
  void write_serversDiskIsFull_nothingHappensUntilThereIsRoom() {
    write();
    TestServer.execute(
        "create function "
            + place.schema()
            + ".full() returns trigger language plpgsql as"
            + " $$ begin raise 'no space left on device' using errcode = '53100'; end $$",
        "create trigger full_disk before insert on "
            + table("row")
            + " execute function "
            + place.schema()
            + ".full()");

    assertThatThrownBy(this::write)
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining("no space left on device");
    WriteBatch freeing = new WriteBatch(2, WriteBatch.Reserve.USE);
    freeing.delete("row 1".getBytes(UTF_8));
    freeing.delete(COUNTER);
    store.write(freeing);
    assertThat(store.getAll(List.of(COUNTER))).containsOnlyNulls();

    TestServer.execute("drop trigger full_disk on " + table("row"));
    write();
    assertThat(store.lastCommit()).isEqualTo(3);
  }

  @Test
  void write_bytesOfRows_areCountedAsTheyAre() {
    write();
    WriteBatch batch = new WriteBatch(2);
    batch.put(COUNTER, new byte[1_000]);
    batch.put("a".getBytes(UTF_8), new byte[10]);
    batch.putNew("b".getBytes(UTF_8), new byte[10]);
    batch.delete("row 1".getBytes(UTF_8));
    batch.delete("never there".getBytes(UTF_8));
    store.write(batch);

    String counted =
        "select coalesce(sum(octet_length(k) + octet_length(v) + 64), 0) from " + table("row");
    assertThat(TestServer.number("select bytes from " + table("guard")))
        .isEqualTo(TestServer.number(counted));
    WriteBatch all = new WriteBatch(3);
    List.of("counter", "a", "b").forEach(key -> all.delete(key.getBytes(UTF_8)));
    store.write(all);
    assertThat(TestServer.number("select bytes from " + table("guard"))).isZero();
  }

  @Test
  void views_connectionBreaks_endAndNewOnesSeeEverything() throws Exception {
    write();
    ReadView view = other.submit(store::read).get();
    assertThat(view.get(COUNTER)).isEqualTo("1".getBytes(UTF_8));
    proxy.reset();

    assertThatThrownBy(() -> view.get(COUNTER)).isInstanceOf(ViewEndedException.class);
    assertThatThrownBy(() -> view.getAll(List.of(COUNTER))).isInstanceOf(ViewEndedException.class);
    assertThat(view.commit()).isEqualTo(1);
    view.close();
    assertThatIllegalStateException().isThrownBy(view::commit);
    write();
    other.submit(() -> assertWritten(2)).get();
    // Those that were kept for later are broken as well.
    proxy.reset();
    other.submit(() -> assertWritten(2)).get();
  }

  @Test
  void views_databaseIsAway_unavailableAtOnceForOthers() throws Exception {
    write();
    proxy.cutOff();

    other
        .submit(
            () -> {
              assertThatThrownBy(() -> store.read())
                  .isInstanceOf(StoreUnavailableException.class)
                  .hasMessageContaining("database cannot be reached");
              assertThatThrownBy(() -> store.getAll(List.of(COUNTER)))
                  .isInstanceOf(StoreUnavailableException.class);
            })
        .get();
    assertThat(store.usedBytes()).isEmpty();

    proxy.heal();
    write();
    assertWritten(2);
  }

  @Test
  void viewOfTheWriter_connectionBreaks_goesOn() {
    write();
    try (ReadView view = store.read()) {
      assertThat(view.get(COUNTER)).isEqualTo("1".getBytes(UTF_8));
      proxy.reset();
      assertThat(view.get(COUNTER)).isEqualTo("1".getBytes(UTF_8));
      write();
      assertThat(view.get(COUNTER)).isEqualTo("1".getBytes(UTF_8));
    }
    assertWritten(2);
  }

  @Test
  void close_whileTheDatabaseIsAway_endsTheWriteAndItself() throws Exception {
    store.close();
    store =
        link.open(
            StoreOptions.of(
                place.options().location().replace("reconnectSeconds=1", "reconnectSeconds=600")));
    write();
    Thread writer = Thread.currentThread();
    proxy.cutOff();
    Future<?> closing =
        other.submit(
            () -> {
              while (writer.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
              }
              store.close();
            });

    assertThatThrownBy(this::write).isInstanceOf(StoreFailedException.class);

    closing.get();
    proxy.heal();
  }

  @Test
  void write_standbyThatIsWaitedForIsAway_bufferedGoesOnAndSyncedWaits() throws Exception {
    try (PostgresServer server = PostgresServer.started()) {
      PostgresStoreFactory factory = new PostgresStoreFactory();
      OrderedStore waiting = factory.open(StoreOptions.of(TestServer.location(server.port(), "s")));
      write(waiting, WriteBatch.Wanted.SYNCED);
      server.write("postgresql.auto.conf", "synchronous_standby_names='nobody'\n");
      TestServer.execute(
          server.port(), "set synchronous_commit = local", "select pg_reload_conf()");
      while (TestServer.number(
              server.port(),
              "select count(*) from pg_settings where name = 'synchronous_standby_names'"
                  + " and setting = 'nobody'")
          == 0) {
        Thread.onSpinWait();
      }

      write(waiting, WriteBatch.Wanted.BUFFERED);
      assertThat(waiting.syncedCommit()).isEqualTo(1);
      AtomicBoolean isWritten = new AtomicBoolean();
      AtomicBoolean isLetGo = new AtomicBoolean();
      Thread canceling = new Thread(() -> cancelWaiting(server, isWritten, isLetGo));
      canceling.start();
      // The server gives up waiting for the standby when it is told to, and says that all is well.
      write(waiting, WriteBatch.Wanted.SYNCED);
      boolean wasLetGo = isLetGo.get();
      isWritten.set(true);
      canceling.join();

      assertThat(wasLetGo).isTrue();
      assertThat(waiting.syncedCommit()).isEqualTo(3);
      assertWritten(waiting, 3);
      waiting.close();
    }
  }

  /**
   * Cancels waits for the standby three times; then lets nobody wait for it any more. Ends also if
   * the batch counts as written before.
   */
  private static void cancelWaiting(
      PostgresServer server, AtomicBoolean isWritten, AtomicBoolean isLetGo) {
    for (int i = 0; i < 3; i++) {
      while (!isWritten.get()
          && TestServer.number(
                  server.port(),
                  "select count(*) from (select pg_cancel_backend(pid) from pg_stat_activity"
                      + " where wait_event = 'SyncRep') s")
              == 0) {
        Thread.onSpinWait();
      }
    }
    isLetGo.set(true);
    server.write("postgresql.auto.conf", "");
    TestServer.execute(server.port(), "set synchronous_commit = local", "select pg_reload_conf()");
  }

  @Test
  void write_serverCrashesAndComesBack_happensOnce() throws Exception {
    try (PostgresServer server = PostgresServer.started()) {
      PostgresStoreFactory factory = new PostgresStoreFactory();
      OrderedStore kept =
          factory.open(
              StoreOptions.of(
                  TestServer.location(server.port(), "s")
                      .replace("reconnectSeconds=2", "reconnectSeconds=30")));
      for (int i = 0; i < 3; i++) {
        write(kept, WriteBatch.Wanted.SYNCED);
        server.crash();
        Future<?> starting = other.submit(server::start);
        write(kept, WriteBatch.Wanted.SYNCED);
        starting.get();
      }

      assertWritten(kept, 6);
      kept.close();
    }
  }

  @Test
  void owners_takeFromEachOtherAllTheTime_eachNumberIsWrittenOnce() throws Exception {
    store.close();
    PostgresPlace.PostgresLink second = place.newLink();
    List<OrderedStore> owners = new ArrayList<>();
    long written = 0;
    for (int i = 0; i < 40; i++) {
      place.letPass(StoreOptions.OWNED_FOR_DEFAULT.plus(Duration.ofMillis(1)));
      OrderedStore owner =
          (i % 2 == 0 ? link : second).open(place.options().owner(OwnerName.newNode()));
      owners.add(owner);
      if (i > 0) {
        OrderedStore stale = owners.get(i - 1);
        assertThatThrownBy(() -> write(stale, WriteBatch.Wanted.SYNCED))
            .isInstanceOf(StoreFencedException.class);
      }
      write(owner, i % 3 == 0 ? WriteBatch.Wanted.BUFFERED : WriteBatch.Wanted.SYNCED);
      written++;
      assertWritten(owner, written);
    }
    owners.forEach(OrderedStore::close);
    store = link.open(place.options());
    assertWritten(written);
  }
}
