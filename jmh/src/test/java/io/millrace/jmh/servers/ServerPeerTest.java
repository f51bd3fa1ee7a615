package io.millrace.jmh.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.Target;
import io.millrace.jmh.load.Workload;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
  void jobs_whenTheServerIsKilledInBetween_areCompletedOnce(ServerPeer server) {
    Set<Long> completed = new TreeSet<>();
    try (Peer.Running running = server.start(folder, options(BATCH_COUNT))) {
      running.target().enqueue(payloads(0, BATCH_COUNT));
      running.target().enqueue(payloads(BATCH_COUNT, 2 * BATCH_COUNT));
      complete(running.target(), BATCH_COUNT, BATCH_COUNT, completed);
      assertThat(ProcessHandle.of(running.processId().orElseThrow())).isPresent();
    }

    try (Peer.Running running = server.start(folder, options(1))) {
      complete(running.target(), 1, 2 * BATCH_COUNT, completed);
      running.target().enqueue(payloads(2 * BATCH_COUNT, 2 * BATCH_COUNT + 1));
      complete(running.target(), 1, 2 * BATCH_COUNT + 1, completed);
      assertThat(running.target().claim(1).size()).isZero();
    }
  }

  /** Completes as many of the jobs in all, in calls of a few, and notes them. */
  private static void complete(Target target, int max, int count, Set<Long> completed) {
    long startNs = System.nanoTime();
    while (completed.size() < count && System.nanoTime() - startNs < PATIENCE_NS) {
      int left = Math.min(max, count - completed.size());
      target.claim(left).complete(number -> assertThat(completed.add(number)).isTrue());
    }
    assertThat(completed)
        .hasSize(count)
        .allMatch(number -> 0 <= number && number <= 2 * BATCH_COUNT);
  }

  /** Returns payloads of which each begins with the number of its job. */
  private static List<byte[]> payloads(int startInclusive, int endExclusive) {
    return LongStream.range(startInclusive, endExclusive)
        .mapToObj(number -> ByteBuffer.allocate(64).putLong(number).array())
        .toList();
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
