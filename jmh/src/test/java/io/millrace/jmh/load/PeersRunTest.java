package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.store.memory.MemoryStoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class PeersRunTest {

  @TempDir private Path folder;
  private final List<String> ended = new ArrayList<>();

  /** An engine, and whether one of its jobs is there twice. */
  private final class Named implements Peer {

    private final String name;
    private final boolean isDoubling;

    Named(String name, boolean isDoubling) {
      this.name = name;
      this.isDoubling = isDoubling;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Running start(Path at, LoadOptions options) {
      if (name.equals("broken")) {
        throw new IllegalStateException("does not start");
      }
      EngineTarget engine = EngineTarget.open(new MemoryStoreFactory(), at, options);
      return new Running(
          isDoubling ? new Doubling(engine) : engine,
          OptionalLong.of(ProcessHandle.current().pid()),
          () -> ended.add(name));
    }
  }

  /** Enqueues the first of all jobs twice. */
  private static final class Doubling extends LoadRunTest.Forwarding {

    private boolean isDone;

    Doubling(Target target) {
      super(target);
    }

    @Override
    public synchronized void enqueue(List<byte[]> payloads) {
      if (!isDone) {
        isDone = true;
        target.enqueue(List.of(payloads.get(0).clone()));
      }
      target.enqueue(payloads);
    }
  }

  @Test
  void run_ofTwo_measuresBothInTheirOrder() {
    List<PeersRun.Result> results =
        run(Workload.CYCLE, new Named("one", false), new Named("two", false));

    assertThat(results).extracting(PeersRun.Result::name).containsExactly("one", "two");
    assertThat(results).allMatch(result -> result.findings().isEmpty());
    assertThat(results).allMatch(result -> result.jobsPerSecond() > 0);
    assertThat(results.get(0).ratio()).isEqualTo(1);
    assertThat(ended).containsExactlyInAnyOrder("one", "two");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void run_ofSlowWorkers_holdsEachJobForAWhile() {
    PeersRun.Result result = run(Workload.SLOW, new Named("one", false)).get(0);

    assertThat(result.findings()).isEmpty();
    assertThat(result.complete().p50Us()).isGreaterThanOrEqualTo(50_000);
    // 20 consumers of which each ends 20 jobs a second.
    assertThat(result.jobsPerSecond()).isBetween(1.0, 400.0);
  }

  @Test
  void run_whenAJobIsThereTwice_findsIt() {
    PeersRun.Result result = run(Workload.CYCLE, new Named("one", true)).get(0);

    assertThat(result.findings()).isNotEmpty();
  }

  @Test
  void run_whenOneDoesNotStart_endsTheOthers() {
    assertThatThrownBy(
            () -> run(Workload.CYCLE, new Named("one", false), new Named("broken", false)))
        .hasMessage("does not start");

    assertThat(ended).containsExactly("one");
    assertThat(folder).isEmptyDirectory();
  }

  private List<PeersRun.Result> run(Workload workload, Peer... peers) {
    Callers callers =
        workload == Workload.SLOW ? new Callers(2, 20, 5, 0) : new Callers(2, 2, 1, 0);
    LoadOptions options =
        new LoadOptions(
            workload,
            "memory",
            Durability.SYNCED,
            callers,
            64,
            0,
            Queues.SINGLE,
            new LoadOptions.Timing(Duration.ofMillis(400), 2, 0),
            folder);
    Progress unseen = Progress.unseen();
    List<PeerSide.Start> starts =
        Stream.of(peers)
            .map(
                peer ->
                    new PeerSide.Start(
                        peer.name(), parent -> OwnCallers.start(peer, options, parent, unseen)))
            .toList();
    return new PeersRun(options, Duration.ofMillis(50), starts, unseen).run();
  }
}
