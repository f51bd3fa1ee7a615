package io.millrace.outbox.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source of connections whose statements fail, or are held up, where a test says so. */
final class FaultySource {

  private final DataSource real;
  private final Map<String, Hook> before = new ConcurrentHashMap<>();
  private final Map<String, Hook> after = new ConcurrentHashMap<>();
  private volatile boolean isAway;

  /** A fault, or none, at a statement. */
  @FunctionalInterface
  interface Hook {
    void run() throws SQLException;
  }

  FaultySource(DataSource real) {
    this.real = real;
  }

  /** Has this happen once before the next statement that begins with the word is carried out. */
  void before(String word, Hook hook) {
    before.put(word, hook);
  }

  /** Has this happen once after the next statement that begins with the word was carried out. */
  void after(String word, Hook hook) {
    after.put(word, hook);
  }

  /** Has this happen before each statement that begins with the word. */
  void beforeEach(String word, Hook hook) {
    before.put(
        word,
        () -> {
          beforeEach(word, hook);
          hook.run();
        });
  }

  /** Says whether the database is not to be reached. */
  void away(boolean value) {
    isAway = value;
  }

  static Hook failing(String message) {
    return () -> {
      throw new SQLException(message, "08006");
    };
  }

  DataSource source() {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          if (isAway) {
            throw new SQLException("database is away", "08001");
          }
          Object answer = call(real, method, arguments);
          return answer instanceof Connection connection ? connection(connection) : answer;
        });
  }

  private Connection connection(Connection connection) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          Object answer = call(connection, method, arguments);
          return answer instanceof PreparedStatement statement
              ? statement(statement, (String) arguments[0])
              : answer;
        });
  }

  private PreparedStatement statement(PreparedStatement statement, String sql) {
    String word = sql.substring(0, sql.indexOf(' '));
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) -> {
          boolean isExecute = method.getName().startsWith("execute");
          run(isExecute ? before.remove(word) : null);
          Object answer = call(statement, method, arguments);
          run(isExecute ? after.remove(word) : null);
          return answer;
        });
  }

  private static void run(@Nullable Hook hook) throws SQLException {
    if (hook != null) {
      hook.run();
    }
  }

  private static Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
