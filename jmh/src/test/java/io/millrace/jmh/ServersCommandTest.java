package io.millrace.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.Main;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.OwnCallers;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.PeerSide;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.servers.ServerPeer;
import io.millrace.store.memory.MemoryStoreFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of the command for servers that are none: engines in this process. */
@Tag("slow")
class ServersCommandTest {

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** An engine in this process that passes for a server. */
  private record Fake(String name, boolean takesBatches, Optional<String> missing)
      implements ServerPeer {

    @Override
    public String setting() {
      return "set so";
    }

    @Override
    public Running start(Path folder, LoadOptions options) {
      return Peer.embedded(new MemoryStoreFactory()).start(folder, options);
    }
  }

  private static final ServerPeer FAST = new Fake("fast", true, Optional.empty());
  private static final ServerPeer SINGLE = new Fake("single", false, Optional.empty());
  private static final ServerPeer ABSENT = new Fake("absent", true, Optional.of("absentd"));

  @Test
  void servers_ofSomeRows_printALineForEachServer() {
    int exit = run(List.of(FAST, SINGLE), "--rows", "enqueue 8|^cycle b", "--warm-up", "0.05");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("All synced, payload 256 B, warmed up for 0.1 s a row", "* fast: set so")
        .contains("| cycle batches of 100 | single | - |");
    assertThat(out.toString().lines().filter(line -> line.matches("\\| (enqueue|cycle).*")))
        .hasSize(6)
        .allMatch(line -> line.split("\\|", -1).length == 10)
        .noneMatch(line -> line.contains("NaN"))
        .anyMatch(line -> line.matches("\\| enqueue 8 \\| embedded \\| [\\d,]+ \\|.* 1\\.00 \\|.*"))
        .anyMatch(line -> line.startsWith("| cycle batches of 100 | fast |"));
  }

  @Test
  void servers_withJson_printObjects() {
    int exit = run(List.of(FAST, SINGLE), "--rows", "^cycle 8", "--servers", "single", "--json");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("\"row\":\"cycle 8+8\""))
        .allMatch(line -> line.contains("\"exactly_once\":true"))
        .allMatch(line -> line.contains("\"server_processor_us_per_job\":"));
    assertThat(out.toString()).contains("\"server\":\"embedded\"", "\"server\":\"single\"");
  }

  @Test
  void servers_ofWhichOneIsMissing_areMeasuredWithoutIt() {
    int exit = run(List.of(ABSENT, FAST), "--rows", "enqueue 1");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "millrace: absent is LEFT OUT, for it is not installed: install absentd");
    assertThat(out.toString()).contains("| enqueue 1 | fast |").doesNotContain("absent");
  }

  @Test
  void servers_ofWhichAllAreMissing_areNotMeasured() {
    int exit = run(List.of(ABSENT, FAST), "--servers", "absent");

    assertThat(exit).isEqualTo(3);
    assertThat(err.toString())
        .contains("install absentd", "none of the servers is installed; nothing was measured");
    assertThat(out.toString()).isEmpty();
  }

  private static PeerSide start(Peer peer, TableRows.Row row, Path parent) {
    return OwnCallers.start(peer, row.options(), parent, Progress.unseen());
  }

  private int run(List<ServerPeer> known, String... arguments) {
    String[] always = {"servers", "--seconds", "0.2", "--rounds", "2", "--warm-up", "0"};
    String[] all = new String[always.length + arguments.length + 2];
    System.arraycopy(always, 0, all, 0, always.length);
    System.arraycopy(arguments, 0, all, always.length, arguments.length);
    all[all.length - 2] = "--dir";
    all[all.length - 1] = folder.resolve("bench").toString();
    return Main.commandLine(new ServersCommand(known, ServersCommandTest::start))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setOverwrittenOptionsAllowed(true)
        .execute(all);
  }
}
