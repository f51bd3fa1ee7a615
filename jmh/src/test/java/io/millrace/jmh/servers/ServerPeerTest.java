package io.millrace.jmh.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.PeersRun;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.Target;
import io.millrace.jmh.load.Workload;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The servers that this machine has. Two of them are there wherever Maven is. */
@Tag("slow")
class ServerPeerTest {

  private static final int JOB_COUNT = 25;
  private static final int BATCH_COUNT = 10;
  private static final long PATIENCE_NS = Duration.ofSeconds(60).toNanos();

  @TempDir private Path folder;

  static Stream<ServerPeer> installed() {
    return ServerPeer.all().stream().filter(server -> server.missing().isEmpty());
  }

  @Test
  void installed_onAnyMachine_haveThoseThatMavenFetches() {
    assertThat(installed()).extracting(ServerPeer::name).contains("millrace", "artemis");
  }

  @ParameterizedTest
  @MethodSource("installed")
  void completed_inBatches_areAllJobsOnce(ServerPeer server) {
    List<Long> completed = new ArrayList<>();
    long startNs = System.nanoTime();
    try (Peer.Running running = server.start(folder, options(BATCH_COUNT))) {
      Target target = running.target();

      target.enqueue(payloads(0, BATCH_COUNT));
      target.enqueue(payloads(BATCH_COUNT, JOB_COUNT));
      while (completed.size() < JOB_COUNT && System.nanoTime() - startNs < PATIENCE_NS) {
        target.claim(completed.isEmpty() ? 1 : BATCH_COUNT).complete(completed::add);
      }

      assertThat(target.claim(1).size()).isZero();
      assertThat(ProcessHandle.of(running.processId().orElseThrow())).isPresent();
    }
    assertThat(completed)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, JOB_COUNT).boxed().toList());
  }

  /** Returns payloads of which each begins with the number of its job. */
  private static List<byte[]> payloads(int startInclusive, int endExclusive) {
    return LongStream.range(startInclusive, endExclusive)
        .mapToObj(number -> ByteBuffer.allocate(64).putLong(number).array())
        .toList();
  }

  @Test
  void run_ofAllInTurns_losesNothing() {
    List<Peer> all = List.copyOf(installed().toList());

    List<PeersRun.Result> results =
        new PeersRun(options(1), Duration.ZERO, all, Progress.unseen()).run();

    assertThat(results)
        .extracting(PeersRun.Result::name)
        .containsExactlyElementsOf(all.stream().map(Peer::name).toList());
    assertThat(results).allMatch(result -> result.findings().isEmpty());
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void missing_programThatIsNotThere_saysWhatToInstall() {
    assertThat(new BeanstalkdServer("no-such-program").missing())
        .contains("no-such-program (Debian: apt-get install beanstalkd)");
    assertThat(new RedisServer("no-such-program").missing())
        .contains("no-such-program (Debian: apt-get install redis-server)");
    assertThat(ServerProcess.program("sh")).isPresent();
  }

  private LoadOptions options(int batchCount) {
    return new LoadOptions(
        Workload.CYCLE,
        "lmdb",
        Durability.SYNCED,
        new Callers(2, 2, batchCount, 0),
        64,
        0,
        Queues.SINGLE,
        new LoadOptions.Timing(Duration.ofMillis(300), 2, 0),
        folder);
  }
}
