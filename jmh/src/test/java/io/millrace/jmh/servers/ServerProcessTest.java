package io.millrace.jmh.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jmh.load.JavaCommand;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.Target;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ServerProcessTest {

  @TempDir private Path folder;

  /** A server that listens at a port (its argument), and nothing else. */
  static final class Listening {
    public static void main(String[] arguments) throws Exception {
      int port = Integer.parseInt(arguments[0]);
      try (ServerSocket socket = new ServerSocket(port, 10, InetAddress.getLoopbackAddress())) {
        while (true) {
          socket.accept().close();
        }
      }
    }
  }

  /** A process that starts a server in a folder (its argument), says which, and goes on. */
  static final class Starting {
    public static void main(String[] arguments) throws Exception {
      Peer.Running server = start(Path.of(arguments[0]));
      System.out.println(server.processId().orElseThrow());
      new CountDownLatch(1).await();
    }
  }

  private static Peer.Running start(Path folder) {
    int port = ServerProcess.freePort();
    return ServerProcess.start(folder, port, JavaCommand.of(Listening.class, String.valueOf(port)))
        .called(NoCalls::new);
  }

  @Test
  void close_ofARunningServer_endsIt() {
    Peer.Running server = start(folder);
    long id = server.processId().orElseThrow();
    assertThat(ProcessHandle.of(id)).isPresent();

    server.close();

    assertGone(id);
  }

  @Test
  void process_whoseStarterIsKilled_ends() throws Exception {
    Process starter =
        new ProcessBuilder(JavaCommand.of(Starting.class, folder.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = starter.inputReader()) {
      long id = Long.parseLong(out.readLine());
      assertThat(ProcessHandle.of(id)).isPresent();

      starter.destroyForcibly().waitFor();

      assertGone(id);
    } finally {
      starter.destroyForcibly();
    }
  }

  @Test
  void called_whenItCannotBe_endsTheServer() {
    int port = ServerProcess.freePort();
    ServerProcess server =
        ServerProcess.start(folder, port, JavaCommand.of(Listening.class, String.valueOf(port)));

    assertThatThrownBy(() -> server.called(ServerProcessTest::fail)).hasMessage("no calls");

    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .hasMessageContaining("refused");
  }

  @Test
  void start_ofAProgramThatEnds_saysTheEndOfItsLog() {
    List<String> command = List.of("sh", "-c", "echo first; echo bad option; exit 1");

    assertThatThrownBy(() -> ServerProcess.start(folder, ServerProcess.freePort(), command))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("server has ended before it listened: program=sh, port=")
        .hasMessageContaining("bad option");
  }

  private static Target fail() {
    throw new IllegalStateException("no calls");
  }

  /** Waits until the process is gone: the shell that kills it takes a moment. */
  private static void assertGone(long id) {
    long startNs = System.nanoTime();
    while (ProcessHandle.of(id).isPresent()
        && System.nanoTime() - startNs < Duration.ofSeconds(30).toNanos()) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(ProcessHandle.of(id)).isEmpty();
  }

  private static final class NoCalls extends BlockingTarget {
    @Override
    public void enqueue(List<byte[]> payloads) {}

    @Override
    public Target.Claimed claim(int max) {
      return Handed.NONE;
    }

    @Override
    public void close() {}
  }
}
