package io.millrace.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.PeerSide;
import io.millrace.jmh.load.PeersRun;
import io.millrace.jmh.servers.ServerPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class CallersProcessTest {

  private static final Duration ROUND = Duration.ofMillis(500);

  @TempDir private Path folder;

  @Test
  void round_ofThePeersThatMavenFetches_isMeasuredInTheirProcesses() {
    List<Peer> peers =
        List.of(
            ServerRows.engine(),
            ServerPeer.all().stream()
                .filter(it -> it.name().equals("millrace"))
                .findFirst()
                .orElseThrow());
    for (Peer peer : peers) {
      try (PeerSide side = CallersProcess.start(peer, row("cycle batches of 100"), folder)) {
        side.warmUp(ROUND);
        double rate = side.round(ROUND, 1);
        PeersRun.Result result = side.end(List.of(1.0));

        assertThat(result.name()).isEqualTo(peer.name());
        assertThat(result.jobsPerSecond()).isEqualTo(rate);
        assertThat(result.ratio()).isEqualTo(rate);
        assertThat(result.findings()).isEmpty();
        assertThat(result.processor().ownUs()).isPositive();
        assertThat(result.processor().serverUs() > 0).isEqualTo(peer.name().equals("millrace"));
      }
    }
  }

  @Test
  void start_whereThePeerCannotBeStarted_saysWhy() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(
            () -> CallersProcess.start(ServerRows.engine(), row("enqueue 1"), file).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("callers failed: peer=embedded", "folder cannot be made: path=");
  }

  @Test
  void round_whenTheProcessWasKilled_saysSo() {
    try (PeerSide side = CallersProcess.start(ServerRows.engine(), row("enqueue 1"), folder)) {
      ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);

      assertThatThrownBy(() -> side.round(ROUND, 1)).hasMessageContaining("peer=embedded");
    }
  }

  private TableRows.Row row(String name) {
    LoadOptions.Timing timing = new LoadOptions.Timing(ROUND, 1, 0);
    return new ServerRows(timing, 256, folder)
        .all().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }
}
