package io.millrace.jmh.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A peer under load. One thread. */
public interface PeerSide extends AutoCloseable {

  /**
   * A way to start a peer.
   *
   * @param name the name of the peer
   * @param in starts it, given a folder in which it gets one of its own
   */
  record Start(String name, Function<Path, PeerSide> in) {}

  /** Lets the compilers of all processes see the load, of which no figure is kept. */
  void warmUp(Duration length);

  /** Lets the callers run for {@code length}; returns the rate in jobs per second. */
  double round(Duration length, int number);

  /**
   * Empties the queue, checks the jobs and returns the figures.
   *
   * @param rates the rates with which those of this one are compared, by round
   */
  PeersRun.Result end(List<Double> rates);

  /** Ends the peer and its callers. */
  @Override
  void close();
}
