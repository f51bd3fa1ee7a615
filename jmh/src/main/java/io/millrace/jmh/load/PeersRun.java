package io.millrace.jmh.load;

import io.millrace.jmh.load.LoadResult.Percentiles;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * A run in which peers take turns under the same load in short rounds, so that other work of the
 * machine meets all of them.
 */
public final class PeersRun {

  private final LoadOptions options;
  private final Duration warmUp;
  private final List<PeerSide.Start> peers;
  private final Progress progress;

  /**
   * Creates a run, which has not started.
   *
   * @param warmUp how long each peer is under load before anything is measured
   * @param peers the peers; the first is the one that the others are compared with
   */
  public PeersRun(
      LoadOptions options, Duration warmUp, List<PeerSide.Start> peers, Progress progress) {
    this.options = options;
    this.warmUp = warmUp;
    this.peers = List.copyOf(peers);
    this.progress = progress;
  }

  /**
   * Measurements of a peer. Rates are medians over the rounds, percentiles over all rounds
   * together.
   *
   * @param spread (largest - smallest round) / median
   * @param ratio median of the rate over that of the first peer in the same round
   * @param findings what was wrong with the jobs, empty if each was completed exactly once
   */
  public record Result(
      String name,
      double jobsPerSecond,
      double spread,
      double ratio,
      Percentiles enqueue,
      Percentiles claim,
      Percentiles complete,
      Processor processor,
      List<String> findings)
      implements Serializable {}

  /**
   * Processor time of a job in microseconds.
   *
   * @param ownUs that of the process in which the callers are
   * @param serverUs that of the server's process; 0 if there is none
   */
  public record Processor(double ownUs, double serverUs) implements Serializable {}

  /** A peer that takes turns with others, and the rate of each of its rounds. */
  private record Turn(String name, PeerSide side, List<Double> rates) {}

  /** Runs the load. The peers have ended afterwards, and everything that they wrote is gone. */
  public List<Result> run() {
    List<Turn> all = new ArrayList<>();
    try (RunFolder folder = RunFolder.create(options.folder())) {
      try {
        for (PeerSide.Start peer : peers) {
          progress.stage("starting " + peer.name(), 0, 0);
          all.add(new Turn(peer.name(), peer.in().apply(folder.path()), new ArrayList<>()));
        }
        if (!warmUp.isZero()) {
          all.forEach(this::warmUp);
        }
        // One who follows another meets the work that the other left to do: not always the same.
        List<Turn> order = new ArrayList<>(all);
        for (int i = 1; i <= options.timing().roundCount(); i++) {
          for (Turn turn : order) {
            progress.stage(turn.name, i, 0);
            turn.rates.add(turn.side.round(options.timing().round(), i));
          }
          Collections.rotate(order, 1);
        }
        progress.stage("emptying the queues and counting", 0, 0);
        return all.stream().map(turn -> turn.side.end(all.get(0).rates)).toList();
      } finally {
        CloseHelper.closeAll(all.stream().map(Turn::side).toList());
      }
    }
  }

  private void warmUp(Turn turn) {
    progress.stage("warming up " + turn.name, 0, 0);
    turn.side.warmUp(warmUp);
  }
}
