package io.millrace.jmh.pick;

import io.millrace.jmh.load.LoadResult;

/**
 * One store, measured in one place.
 *
 * @param store the kind of store
 * @param payloadBytes length of the payloads
 * @param callerCount producers, and as many consumers
 * @param cycle jobs enqueued, claimed and completed
 */
public record Point(String store, int payloadBytes, int callerCount, LoadResult cycle) {

  public double jobsPerSecond() {
    return cycle.engine().jobsPerSecond();
  }

  /** What the plain log did in the same rounds: how fast the machine was just then. */
  double plainLogJobsPerSecond() {
    return cycle.floor().jobsPerSecond();
  }

  /** How far rounds were apart, of the store and of the plain log beside it. */
  double spread() {
    return Math.max(cycle.engine().spread(), cycle.floor().spread());
  }

  /** What a waiting job takes on disk. */
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
