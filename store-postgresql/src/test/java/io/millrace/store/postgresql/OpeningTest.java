package io.millrace.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.OwnerName;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.PostgresServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of opening: what is refused, in one sentence each, and what is made. */
@Tag("slow")
class OpeningTest {

  private final PostgresStoreFactory factory = new PostgresStoreFactory();
  private final String schema = TestServer.newName();

  private StoreOptions options() {
    return StoreOptions.of(TestServer.location(schema));
  }

  /** Returns options for another user, whose name is part of a name that nobody else has. */
  private StoreOptions as(String user) {
    return StoreOptions.of(
        TestServer.location(schema).replace(PostgresServer.USER + "@", user + "@"));
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(StoreOptions options) {
    return assertThatThrownBy(() -> factory.open(options).close())
        .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("\n"));
  }

  @Test
  void open_firstTime_makesTheSchemaAndOnlyThat() throws SQLException {
    OrderedStore store = factory.open(options());

    assertThat(store.epoch()).isEqualTo(1);
    assertThat(store.lastCommit()).isZero();
    assertThat(
            names(
                "select relname from pg_class c join pg_namespace s on s.oid=relnamespace"
                    + " where nspname = '"
                    + schema
                    + "' and relkind = 'r'"))
        .containsExactlyInAnyOrderElementsOf(Sql.TABLES);
    assertThat(names("select nspname from pg_namespace where nspname = 'millrace'")).isEmpty();
    store.close();
  }

  @Test
  void open_schemaWithAnOddName_works() {
    StoreOptions odd = StoreOptions.of(TestServer.location("Odd%20%22'%3B" + schema));
    OrderedStore store = factory.open(odd);
    WriteBatch batch = new WriteBatch(1);
    batch.put(new byte[] {1}, new byte[] {2});

    store.write(batch);

    assertThat(store.getAll(List.of(new byte[] {1}))).containsExactly(new byte[] {2});
    assertThat(store.usedBytes().orElseThrow()).isPositive();
    store.close();
  }

  @Test
  void open_schemaThatIsThereAndEmpty_isUsedWithoutTheRightToMakeOne() {
    String user = "u" + schema;
    TestServer.execute("create user " + user, "create schema " + schema + " authorization " + user);

    factory.open(as(user)).close();

    // Later openings need less: these are all rights that are documented.
    String other = "o" + schema;
    TestServer.execute(
        "create user " + other,
        "grant usage on schema " + schema + " to " + other,
        "grant select, insert, update, delete on all tables in schema " + schema + " to " + other);
    OrderedStore store = factory.open(as(other));
    store.write(new WriteBatch(1));
    store.sync();
    assertThat(store.lastCommit()).isEqualTo(1);
    store.close();
    String reader = "r" + schema;
    TestServer.execute(
        "create user " + reader,
        "grant usage on schema " + schema + " to " + reader,
        "grant select on all tables in schema " + schema + " to " + reader);
    OrderedStore looking = factory.open(as(reader).access(Access.READ_ONLY));
    assertThat(looking.lastCommit()).isEqualTo(1);
    looking.close();
    assertRefused(as(reader))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lacks a right")
        .hasMessageContaining("permission denied");
  }

  @Test
  void open_withoutTheRightToMakeASchema_isRefused() {
    String user = "u" + schema;
    TestServer.execute("create user " + user);

    assertRefused(as(user))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("database user lacks a right that the store needs")
        .hasMessageContaining("permission denied for database")
        .hasMessageContaining("location=//" + user + "@127.0.0.1");
    assertThat(isThere()).isFalse();
  }

  @Test
  void open_schemaOfSomebodyElse_isRefusedAndLeftAlone() {
    TestServer.execute("create schema " + schema, "create table " + schema + ".orders (id int)");

    assertRefused(options())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("holds something else than a store")
        .hasMessageContaining("tables=1, such as [orders]");
    assertRefused(options().access(Access.READ_ONLY)).isInstanceOf(FormatVersionException.class);
    assertThat(tables()).containsExactly("orders");
  }

  @Test
  void open_tablesWithOurNamesAndOtherColumns_areRefused() {
    TestServer.execute("create schema " + schema);
    for (String table : Sql.TABLES) {
      TestServer.execute("create table " + schema + "." + table + " (id int)");
    }

    assertRefused(options())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("reason=its tables have other columns");
  }

  @Test
  void open_partOfAStore_isRefused() {
    factory.open(options()).close();
    TestServer.execute("drop table " + schema + ".millrace_epoch");

    assertRefused(options())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("tables=3");
  }

  @Test
  void open_newerFormat_isRefused() {
    factory.open(options()).close();
    TestServer.execute("update " + schema + ".millrace_store set format = 2");

    assertRefused(options())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("format=2, known=1");
  }

  @Test
  void open_emptiedTables_areRefused() {
    factory.open(options()).close();
    TestServer.execute("delete from " + schema + ".millrace_guard");

    assertRefused(options())
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("row that guards the store is gone");
    TestServer.execute("delete from " + schema + ".millrace_store");
    assertRefused(options())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("its table of the store is empty");
  }

  @Test
  void open_readOnlyWithoutStore_isRefusedAndNothingIsMade() {
    assertRefused(options().access(Access.READ_ONLY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("there is no store to read")
        .hasMessageContaining("schema=" + schema);
    assertThat(isThere()).isFalse();
  }

  @Test
  void open_noSuchDatabase_isRefused() {
    assertRefused(
            StoreOptions.of(
                TestServer.location(schema).replace("/" + PostgresServer.DATABASE, "/nothing")))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("there is no such database on the server")
        .hasMessageContaining("reason=FATAL: database \"nothing\" does not exist");
  }

  @Test
  void open_nobodyListens_isUnavailable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    assertRefused(StoreOptions.of(TestServer.location(port, schema)))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("database cannot be reached or is not ready")
        .hasMessageContaining("refused");
    assertRefused(StoreOptions.of("//no-such-host.invalid/app"))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void open_severalHosts_takesThePrimary() throws Exception {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    String location =
        TestServer.location(schema).replace("127.0.0.1:", "127.0.0.1:" + nobody + ",127.0.0.1:");

    OrderedStore store = factory.open(StoreOptions.of(location));

    assertThat(store.lastCommit()).isZero();
    store.close();
  }

  @Test
  void open_manyAtTheSameTime_makeOneStore() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Set<String> ids = new HashSet<>();
    List<Long> epochs = new ArrayList<>();
    try {
      List<Future<OrderedStore>> openings = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        // All are the same owner, so that each gets the store.
        openings.add(threads.submit(() -> factory.open(options())));
      }
      for (Future<OrderedStore> opening : openings) {
        OrderedStore store = opening.get();
        ids.add(store.info().storeId());
        epochs.add(store.epoch());
      }
      for (Future<OrderedStore> opening : openings) {
        opening.get().close();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(ids).hasSize(1);
    assertThat(epochs).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void open_onAnotherHistory_isRefusedUnlessLossIsAccepted() {
    OwnerName owner = OwnerName.newNode();
    factory.open(options().owner(owner)).close();
    TestServer.execute("update " + schema + ".millrace_epoch set timeline = '1/00000001'");

    assertRefused(options())
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("lostCommits=ACCEPT")
        .hasMessageContaining("before=1/00000001");
    OrderedStore accepted = factory.open(options().lostCommits(LostCommits.ACCEPT));
    assertThat(accepted.epoch()).isEqualTo(1_001);
    accepted.close();
    OrderedStore next = factory.open(options());
    assertThat(next.epoch()).isEqualTo(1_002);
    next.close();
  }

  @Test
  void open_onAnotherHistoryThatWasReplicated_goesOn() {
    factory.open(options()).close();
    TestServer.execute(
        "update " + schema + ".millrace_epoch set timeline = '1/00000001', is_replicated = true");

    OrderedStore store = factory.open(options());

    assertThat(store.epoch()).isEqualTo(1_001);
    store.close();
  }

  @Test
  void open_manyTimes_oldOpeningsAreForgotten() {
    factory.open(options()).close();
    TestServer.execute(
        "insert into "
            + schema
            + ".millrace_epoch select e, 0, now(), 'h', 1, 'n', '', '', false"
            + " from generate_series(2, 1500) e",
        "update " + schema + ".millrace_guard set epoch = 1500");

    factory.open(options()).close();

    assertThat(names("select min(epoch) || '-' || max(epoch) from " + schema + ".millrace_epoch"))
        .containsExactly("502-1501");
  }

  @Test
  void open_unsafeSettings_areRefused() {
    try (PostgresServer server = PostgresServer.started()) {
      StoreOptions there = StoreOptions.of(TestServer.location(server.port(), schema));
      server.write("postgresql.auto.conf", "fsync=off\nfull_page_writes=off\n");
      TestServer.execute(server.port(), "select pg_reload_conf()");
      awaitSetting(server, "full_page_writes", "off");
      assertRefused(there)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("settings=[fsync=off, full_page_writes=off]");
      server.write("postgresql.auto.conf", "full_page_writes=off\n");
      TestServer.execute(server.port(), "select pg_reload_conf()");
      awaitSetting(server, "fsync", "on");
      assertRefused(there).hasMessageContaining("settings=[full_page_writes=off]");
      server.write("postgresql.auto.conf", "");
      TestServer.execute(server.port(), "select pg_reload_conf()");
      awaitSetting(server, "full_page_writes", "on");
      factory.open(there).close();
    }
  }

  @Test
  void open_wrongPassword_isRefusedAndNotShown() {
    try (PostgresServer server = PostgresServer.started()) {
      server.write(
          "pg_hba.conf",
          "host all secret 127.0.0.1/32 scram-sha-256\nhost all test 127.0.0.1/32 trust\n");
      TestServer.execute(
          server.port(), "create user secret password 'right'", "select pg_reload_conf()");
      String location = TestServer.location(server.port(), schema);
      assertPasswords(location);
    }
  }

  @Test
  void open_standby_isRefused() {
    try (PostgresServer server = PostgresServer.started()) {
      StoreOptions there = StoreOptions.of(TestServer.location(server.port(), schema));
      server.stop();
      server.write("standby.signal", "");
      server.start();
      assertRefused(there)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("server is a standby, which cannot be written to");
      assertRefused(
              StoreOptions.of(there.location().replace("127.0.0.1:", "127.0.0.1:1,127.0.0.1:")))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  private void assertPasswords(String location) {
    StoreOptions wrong = StoreOptions.of(location.replace("test@", "secret:hidden@"));
    assertRefused(wrong)
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("database refuses the user or the password")
        .hasMessageContaining("//secret:***@")
        .satisfies(thrown -> assertThat(thrown).hasStackTraceContaining("PSQLException"))
        .satisfies(thrown -> assertThat(Throwables.getStackTrace(thrown)).doesNotContain("hidden"));
    assertRefused(StoreOptions.of(location.replace("test@", "secret@")))
        .hasMessageContaining("password");
    assertRefused(StoreOptions.of(location.replace("test@", "secret:right@")))
        .hasMessageContaining("permission denied");
  }

  /**
   * Waits until a new connection sees the setting: the server reads its files when it gets to it.
   */
  private static void awaitSetting(PostgresServer server, String name, String value) {
    List<String> seen = List.of();
    while (!seen.equals(List.of(value))) {
      try (Connection connection = TestServer.connect(server.port())) {
        seen = names(connection, "show " + name);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  private boolean isThere() {
    return !names("select 1 from pg_namespace where nspname = '" + schema + "'").isEmpty();
  }

  private List<String> tables() {
    return names("select tablename from pg_tables where schemaname = '" + schema + "'");
  }

  private static List<String> names(String query) {
    try (Connection connection = TestServer.connect()) {
      return names(connection, query);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> names(Connection connection, String query) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }
}
