package io.millrace.jmh.load;

import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.jmh.load.PeersRun.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A peer whose callers are in this process, and the figures of its rounds. */
public final class OwnCallers implements PeerSide {

  private static final Duration DRAIN_STALL = Duration.ofSeconds(30);

  private final String name;
  private final LoadOptions options;
  private final Peer.Running running;
  private final Side side;
  private final List<Figures> rounds = new ArrayList<>();

  /** Figures of a round, per second and for each job. */
  private record Figures(double jobsPerSecond, double ownUs, double serverUs) {}

  private OwnCallers(String name, LoadOptions options, Peer.Running running, Side side) {
    this.name = name;
    this.options = options;
    this.running = running;
    this.side = side;
  }

  /**
   * Starts a peer.
   *
   * @param parent the folder in which the peer gets one of its own
   */
  public static OwnCallers start(Peer peer, LoadOptions options, Path parent, Progress progress) {
    try {
      Peer.Running running =
          peer.start(Files.createDirectory(parent.resolve(peer.name())), options);
      Side side = new Side(peer.name(), options, running.target(), progress);
      return new OwnCallers(peer.name(), options, running, side);
    } catch (IOException e) {
      throw new UncheckedIOException("folder cannot be made: path=" + parent, e);
    }
  }

  @Override
  public void warmUp(Duration length) {
    side.round(length, 0);
    side.traffic().latencies().dropRound();
    side.drainIfLong(DRAIN_STALL);
  }

  @Override
  public double round(Duration length, int number) {
    long doneBefore = doneCount();
    long ownBefore = processorNs(OptionalLong.of(ProcessHandle.current().pid()));
    long serverBefore = processorNs(running.processId());
    Round round = side.round(length, number);
    double own = processorNs(OptionalLong.of(ProcessHandle.current().pid())) - ownBefore;
    double server = processorNs(running.processId()) - serverBefore;
    // What ends after the round's time is in no rate, but took its part of the processor.
    double jobsUs = 1e3 * Math.max(1, doneCount() - doneBefore);
    rounds.add(new Figures(round.jobsPerSecond(), own / jobsUs, server / jobsUs));
    side.traffic().latencies().endRound();
    side.drainIfLong(DRAIN_STALL);
    return round.jobsPerSecond();
  }

  private long doneCount() {
    return options.workload().hasConsumers()
        ? side.traffic().completedCount()
        : side.traffic().enqueuedCount();
  }

  private static long processorNs(OptionalLong processId) {
    return processId.isEmpty()
        ? 0
        : ProcessHandle.of(processId.getAsLong())
            .flatMap(process -> process.info().totalCpuDuration())
            .map(Duration::toNanos)
            .orElse(0L);
  }

  @Override
  public Result end(List<Double> rates) {
    side.drain(DRAIN_STALL);
    List<String> findings = new ArrayList<>(side.traffic().ledger().findings());
    int leftCount = running.target().claim(1).size();
    if (leftCount > 0) {
      findings.add("jobs in the queue when all had been completed: at least " + leftCount);
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      ratios.add(rounds.get(i).jobsPerSecond() / Math.max(1e-9, rates.get(i)));
    }
    Middle rate = Middle.of(rounds, Figures::jobsPerSecond);
    Latencies latencies = side.traffic().latencies();
    return new Result(
        name,
        rate.median(),
        rate.spread(),
        Middle.of(ratios, Double::doubleValue).median(),
        Percentiles.of(latencies, Latencies.Call.ENQUEUE),
        Percentiles.of(latencies, Latencies.Call.CLAIM),
        Percentiles.of(latencies, Latencies.Call.COMPLETE),
        new PeersRun.Processor(
            Middle.of(rounds, Figures::ownUs).median(),
            Middle.of(rounds, Figures::serverUs).median()),
        List.copyOf(findings));
  }

  @Override
  public void close() {
    running.close();
  }
}
