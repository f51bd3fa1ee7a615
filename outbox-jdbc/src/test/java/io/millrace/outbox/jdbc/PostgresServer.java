package io.millrace.outbox.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server for the tests of one JVM, of the binaries that come from Maven: started by
 * the first test that wants it, and ended with the JVM. It refuses to be run by root, so root runs
 * it as another user.
 */
final class PostgresServer {

  private static final String NOBODY = "65534";
  private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final Path folder;
  private final int port;
  private final Process process;

  private PostgresServer(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /** The server, once a test has wanted it. */
  private static final class Holder {
    private static final PostgresServer SERVER = start();
  }

  /** Returns a new, empty schema. Skips the test where there can be no server. */
  static PGSimpleDataSource newSchema() throws SQLException {
    Machine.require("tar", "xz", "setpriv");
    requireBinaries();
    String schema = "s" + SCHEMAS.incrementAndGet();
    PGSimpleDataSource source = dataSource(Holder.SERVER.port, schema);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    return source;
  }

  private static void requireBinaries() {
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!machine.equals("Linux amd64")) {
      String message = "SKIPPED, there is no PostgreSQL here for this machine: " + machine;
      assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
      System.err.println(message);
      Assumptions.abort(message);
    }
  }

  static PGSimpleDataSource dataSource(int port, String schema) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName("postgres");
    source.setUser("test");
    source.setCurrentSchema(schema);
    return source;
  }

  private static PostgresServer start() {
    try {
      Path folder = Files.createTempDirectory("millrace-postgres");
      Path archive = folder.resolve("postgres.txz");
      try (InputStream in = PostgresServer.class.getResourceAsStream(ARCHIVE)) {
        Files.copy(in, archive);
      }
      Machine.run("tar", "-xJf", archive.toString(), "-C", folder.toString());
      Files.delete(archive);
      if (isRoot()) {
        Machine.run("chown", "-R", NOBODY + ":" + NOBODY, folder.toString());
      }
      Path data = folder.resolve("data");
      Machine.run(
          asUser(
              folder.resolve("bin/initdb").toString(),
              "--pgdata=" + data,
              "--username=test",
              "--auth=trust",
              "--encoding=UTF8",
              "--no-locale",
              "--no-sync"));
      PostgresServer server = server(folder, data);
      Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
      server.awaitStart();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PostgresServer server(Path folder, Path data) throws IOException {
    int port = freePort();
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                asUser(
                    folder.resolve("bin/postgres").toString(),
                    "-D",
                    data.toString(),
                    "-p",
                    Integer.toString(port),
                    "-c",
                    "listen_addresses=127.0.0.1",
                    "-c",
                    "unix_socket_directories=",
                    "-c",
                    "fsync=off")) // the machine does not lose power here, only clients are killed
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process.getOutputStream().close();
    return new PostgresServer(folder, port, process);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitStart() throws IOException {
    SQLException last = null;
    for (int i = 0; i < 600 && process.isAlive(); i++) {
      try (Connection connection = dataSource(port, "public").getConnection()) {
        connection.isValid(10);
        return;
      } catch (SQLException e) {
        last = e;
        sleep();
      }
    }
    throw new AssertionError(Files.readString(folder.resolve("log"), UTF_8), last);
  }

  private void sleep() {
    try {
      process.waitFor(100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String[] asUser(String... command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    }
    all.addAll(List.of(command));
    return all.toArray(String[]::new);
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private void stop() {
    try {
      // At once, and yet without leaving its shared memory behind.
      Machine.run("kill", "-QUIT", Long.toString(process.pid()));
      process.onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
