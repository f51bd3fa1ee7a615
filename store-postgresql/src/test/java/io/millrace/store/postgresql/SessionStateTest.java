package io.millrace.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The store leaves nothing behind in a session that the next transaction would need: a pooler may
 * give each transaction another server's session, and give that to somebody else.
 */
@Tag("slow")
class SessionStateTest {

  /** Everything that a session may keep from one transaction to the next. */
  private static final String STATE =
      """
      select 'statement ' || name from pg_prepared_statements
      union all select 'cursor ' || name from pg_cursors where name <> ''
      union all select 'lock ' || locktype from pg_locks
        where pid = pg_backend_pid() and locktype = 'advisory'
      union all select 'temporary ' || relname from pg_class where relpersistence = 't'
        and relnamespace = pg_my_temp_schema()
      union all select 'listens ' || pg_listening_channels()
      union all select 'setting ' || name || '=' || setting from pg_settings
        where source = 'session'\
      """;

  private final List<Connection> given = new ArrayList<>();

  @Test
  void everyCall_leavesNothingInItsSession() throws Exception {
    DataSource plain = source();
    List<String> before;
    try (Connection connection = plain.getConnection()) {
      before = state(connection);
    }
    OrderedStore store =
        PostgresStoreFactory.of(keeping(plain))
            .open(StoreOptions.of("here?schema=" + TestServer.newName()));
    for (int i = 1; i <= 20; i++) {
      WriteBatch batch = new WriteBatch(i);
      batch.put(new byte[] {(byte) i}, new byte[] {1});
      batch.delete(new byte[] {(byte) (i - 10)});
      batch.want(i % 2 == 0 ? WriteBatch.Wanted.SYNCED : WriteBatch.Wanted.BUFFERED);
      store.write(batch);
      read(store);
      FutureTask<Void> elsewhere =
          new FutureTask<>(
              () -> {
                read(store);
                return null;
              });
      new Thread(elsewhere).start();
      elsewhere.get();
    }
    store.sync();
    store.settle();

    assertThat(given).hasSizeGreaterThan(1);
    for (Connection connection : given) {
      assertThat(state(connection)).isEqualTo(before);
      assertThat(connection.getAutoCommit()).isTrue();
    }
    store.close();
    for (Connection connection : given) {
      assertThat(state(connection)).isEqualTo(before);
      connection.close();
    }
  }

  private static void read(OrderedStore store) {
    assertThat(store.getAll(List.of(new byte[] {1}))).hasSize(1);
    try (ReadView view = store.read()) {
      assertThat(view.scan(new byte[0], new byte[] {(byte) 0xFF}, 100, (key, value) -> true))
          .isPositive();
    }
  }

  private static List<String> state(Connection connection) throws SQLException {
    TreeSet<String> found = new TreeSet<>();
    try (PreparedStatement statement = Statements.prepare(connection, STATE);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return List.copyOf(found);
  }

  private static DataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:" + TestServer.port() + "/postgres");
    source.setUser("test");
    // The driver's default names a statement that is sent five times.
    source.setPrepareThreshold(1);
    return source;
  }

  /** Returns a source whose connections stay open when they are closed, as those of pools do. */
  private DataSource keeping(DataSource plain) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> keeping(plain.getConnection()));
  }

  private Connection keeping(Connection real) {
    given.add(real);
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
