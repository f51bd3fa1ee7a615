package io.millrace.jmh.pick;

import io.millrace.jmh.load.LoadResult;

/**
 * A store, measured in one place.
 *
 * @param store the kind of store
 * @param payloadBytes length of the payloads
 * @param callerCount producers, and as many consumers
 * @param cycle the measurement: jobs enqueued, claimed and completed
 */
public record Point(String store, int payloadBytes, int callerCount, LoadResult cycle) {

  public double jobsPerSecond() {
    return cycle.engine().jobsPerSecond();
  }

  /** Returns the rate of the plain log in the same rounds: how fast the machine was just then. */
  double plainLogJobsPerSecond() {
    return cycle.floor().jobsPerSecond();
  }

  /**
   * Returns how far rounds were apart: the larger spread of the store and the plain log beside it.
   */
  double spread() {
    return Math.max(cycle.engine().spread(), cycle.floor().spread());
  }

  /** Returns how many bytes a waiting job takes on disk. */
  public double diskBytesPerJob() {
    return cycle.cost().diskBytes();
  }

  double enqueueP50Ms() {
    return cycle.latency().enqueue().p50Us() / 1_000;
  }

  double enqueueP99Ms() {
    return cycle.latency().enqueue().p99Us() / 1_000;
  }

  boolean isAt(Wish wish) {
    return payloadBytes == wish.payloadBytes() && callerCount == wish.callerCount();
  }
}
