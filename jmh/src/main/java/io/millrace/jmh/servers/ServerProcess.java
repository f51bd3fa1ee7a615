package io.millrace.jmh.servers;

import io.millrace.jmh.load.Peer.Running;
import io.millrace.jmh.load.Target;
import io.millrace.jmh.load.Waiting;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A server in a process of its own, which ends with this one, whatever happens to it: a shell
 * between the two waits for the end of a pipe, which comes when this process closes it or is gone,
 * and kills the server then.
 */
final class ServerProcess implements AutoCloseable {

  private static final String SHELL =
      "trap '' HUP INT TERM; log=$1; shift; \"$@\" >\"$log\" 2>&1 </dev/null & echo $!;"
          + " cat >/dev/null; kill -9 $!; wait $!";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NS = Duration.ofMillis(20).toNanos();
  private static final int CONNECT_MS = 1_000;
  private static final int LOG_LINES = 10;

  private final Process shell;
  private final long processId;

  private ServerProcess(Process shell, long processId) {
    this.shell = shell;
    this.processId = processId;
  }

  /** Returns a port on which nobody listens. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no port is free", e);
    }
  }

  /** Returns the program of this name on the path. */
  static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @param folder the place for its log
   */
  static ServerProcess start(Path folder, int port, List<String> command) {
    Path log = folder.resolve("server.log");
    List<String> all = new ArrayList<>(List.of("sh", "-c", SHELL, "sh", log.toString()));
    all.addAll(command);
    try {
      Process shell =
          new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader out = shell.inputReader();
      ServerProcess process =
          new ServerProcess(shell, Long.parseLong(String.valueOf(out.readLine())));
      process.awaitListening(port, log, command.get(0));
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException("server cannot be started: command=" + command, e);
    }
  }

  private void awaitListening(int port, Path log, String program) throws IOException {
    long startNs = System.nanoTime();
    while (!isListening(port)) {
      if (ProcessHandle.of(processId).isEmpty()) {
        throw failure("has ended before it listened", port, log, program);
      }
      if (System.nanoTime() - startNs > PATIENCE.toNanos()) {
        throw failure("does not listen after " + PATIENCE, port, log, program);
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private IllegalStateException failure(String what, int port, Path log, String program)
      throws IOException {
    close();
    List<String> lines = Files.readAllLines(log);
    return new IllegalStateException(
        "server %s: program=%s, port=%d; the end of its log:%n%s"
            .formatted(
                what,
                program,
                port,
                String.join(
                    System.lineSeparator(),
                    lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()))));
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the server with what calls it. If that cannot be had, the server is ended. */
  Running called(Supplier<Target> target) {
    try {
      return new Running(target.get(), OptionalLong.of(processId), this::close);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Ends the server at once. */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException("server cannot be ended: process=" + processId, e);
    }
    Waiting.on(shell.onExit());
  }
}
