package io.millrace.jmh.pick;

import io.millrace.jmh.load.LoadResult;

/**
 * One store, measured in one place.
 *
 * @param store the kind of store
 * @param payloadBytes length of the payloads
 * @param callerCount producers, and as many consumers
 * @param cycle jobs enqueued, claimed and completed
 * @param diskBytesPerJob what a waiting job took on disk; of the points at the wished number of
 *     callers, 0 at the others
 */
public record Point(
    String store, int payloadBytes, int callerCount, LoadResult cycle, double diskBytesPerJob) {

  public double jobsPerSecond() {
    return cycle.engine().jobsPerSecond();
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
