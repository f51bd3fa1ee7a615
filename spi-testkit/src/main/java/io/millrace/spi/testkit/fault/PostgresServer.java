package io.millrace.spi.testkit.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server for tests, of the binaries that come from Maven, which have to be on the
 * class path. It refuses to be run by root, so root runs it as another user. Everybody on this
 * machine may log in as {@value #USER} without a password.
 *
 * <p>Ended with the JVM, if not before, also with one that is killed.
 */
public final class PostgresServer implements AutoCloseable {

  /** The user that owns the server. */
  public static final String USER = "test";

  /** The database that is there from the start. */
  public static final String DATABASE = "postgres";

  private static final String NOBODY = "65534";
  private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
  private static final String DATA = "data";
  private static final String START_TIMEOUT_S = "60";

  /** A disk in memory: no test here takes the power of its server, and each commit is synced. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final long MEMORY_BYTES_LEAST = 2L << 30;

  private final Path home;
  private final Path data;
  private final int port;
  private final List<String> settings;
  private boolean isRunning;

  private PostgresServer(Path home, int port, List<String> settings) {
    this.home = home;
    this.data = home.resolve(DATA);
    this.port = port;
    this.settings = settings;
  }

  /**
   * A script that waits until its input ends, as it does with the JVM however that ends, and then
   * ends the servers below a folder and removes it.
   */
  private static final String CARETAKER =
      """
      trap '' INT TERM HUP
      cat > /dev/null
      for pid in "$1"/server*/data/postmaster.pid; do
        test -f "$pid" && kill -QUIT "$(head -n 1 "$pid")"
      done
      for i in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf "$1" && ! test -e "$1" && exit
        sleep 1
      done
      """;

  /** The programs of the server, unpacked once for a JVM, and the folder of all its servers. */
  private static final class Unpacked {
    private static final Path FOLDER = unpack();
  }

  /**
   * Makes a server with databases of its own, and starts it. Skips the test where there can be
   * none.
   *
   * @param settings such as {@code fsync=off}, as on the server's command line
   */
  public static PostgresServer started(String... settings) {
    PostgresServer server = make(settings);
    server.start();
    return server;
  }

  /** Makes a server that is not started yet. Skips the test where there can be none. */
  public static PostgresServer make(String... settings) {
    Machine.require("tar", "xz", "setpriv");
    requireBinaries();
    try {
      Path folder = Unpacked.FOLDER;
      Path home = Files.createTempDirectory(folder, "server");
      giveAway(home);
      Machine.run(
          asUser(
              folder.resolve("bin/initdb").toString(),
              "--pgdata=" + home.resolve(DATA),
              "--username=" + USER,
              "--auth=trust",
              "--encoding=UTF8",
              "--no-locale",
              "--no-sync"));
      PostgresServer server = new PostgresServer(home, freePort(), List.of(settings));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Returns the folder of the server's files, which tests may change while it does not run. */
  public Path data() {
    return data;
  }

  /** Starts the server again, after it was stopped or killed. */
  public void start() {
    StringBuilder options = new StringBuilder("-p " + port);
    options.append(" -c listen_addresses=127.0.0.1 -c unix_socket_directories=");
    settings.forEach(setting -> options.append(" -c ").append(setting));
    try {
      // Without pipes: the server would keep them open for as long as it lives.
      Process process =
          new ProcessBuilder(
                  asUser(
                      program("pg_ctl"),
                      "start",
                      "--wait",
                      "--timeout=" + START_TIMEOUT_S,
                      "--pgdata=" + data,
                      "--log=" + log(),
                      "--options=" + options))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int code = Machine.join(process);
      assertThat(code).as(() -> "server did not start: " + text(log())).isZero();
      isRunning = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the server in an orderly way, without waiting for its clients. */
  public void stop() {
    stop("fast");
  }

  /** Stops the server at once, as if its machine had crashed but for the files. */
  public void crash() {
    stop("immediate");
  }

  private synchronized void stop(String mode) {
    if (!isRunning) {
      return;
    }
    isRunning = false;
    try {
      Machine.run(asUser(program("pg_ctl"), "stop", "--mode=" + mode, "--pgdata=" + data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a server that repeats the commits of this one, which must not have been started yet. */
  public PostgresServer newStandby() {
    try {
      Path home = Files.createTempDirectory(Unpacked.FOLDER, "server");
      Machine.run("cp", "-a", data.toString(), home.resolve(DATA).toString());
      giveAway(home);
      PostgresServer standby = new PostgresServer(home, freePort(), settings);
      standby.write("standby.signal", "");
      standby.write(
          "postgresql.auto.conf",
          "primary_conninfo='host=127.0.0.1 port=" + port + " user=" + USER + "'\n");
      return standby;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a primary of a standby. */
  public void promote() {
    try {
      Machine.run(asUser(program("pg_ctl"), "promote", "--wait", "--pgdata=" + data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file among the server's own, such as its rules of access. */
  public void write(String name, String text) {
    try {
      Path file = data.resolve(name);
      Files.writeString(file, text);
      giveAway(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the server and removes its files. */
  @Override
  public void close() {
    crash();
    remove(home);
  }

  private Path log() {
    return home.resolve("log");
  }

  private static String program(String name) {
    return Unpacked.FOLDER.resolve("bin").resolve(name).toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
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

  private static Path unpack() {
    try {
      Path folder =
          hasRoom(MEMORY)
              ? Files.createTempDirectory(MEMORY, "millrace-postgres")
              : Files.createTempDirectory("millrace-postgres");
      new ProcessBuilder("sh", "-c", CARETAKER, "caretaker", folder.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      Path archive = folder.resolve("postgres.txz");
      try (InputStream in = PostgresServer.class.getResourceAsStream(ARCHIVE)) {
        Files.copy(in, archive);
      }
      Machine.run("tar", "-xJf", archive.toString(), "-C", folder.toString());
      Files.delete(archive);
      giveAway(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasRoom(Path folder) throws IOException {
    return Files.isWritable(folder)
        && Files.getFileStore(folder).getUsableSpace() > MEMORY_BYTES_LEAST;
  }

  private static void giveAway(Path path) throws IOException {
    if (isRoot()) {
      Machine.run("chown", "-R", NOBODY + ":" + NOBODY, path.toString());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
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

  private static void remove(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
