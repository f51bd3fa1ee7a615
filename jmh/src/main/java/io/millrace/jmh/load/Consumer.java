package io.millrace.jmh.load;

import io.millrace.jmh.load.Target.Claimed;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/** A thread that claims and completes until it is told to stop. */
final class Consumer implements Runnable {

  private final LoadOptions.Callers callers;
  private final int claimCount;
  private final long holdNs;
  private final Target target;
  private final Traffic traffic;
  private final Recorder claimLatency;
  private final Recorder completeLatency;
  private final Recorder lateness;

  Consumer(LoadOptions options, Target target, Traffic traffic) {
    this.callers = options.callers();
    this.claimCount = options.workload().claimCount(callers.batchCount());
    this.holdNs = options.workload().hold().toNanos();
    this.target = target;
    this.traffic = traffic;
    this.claimLatency = traffic.latencies().of(Latencies.Call.CLAIM);
    this.completeLatency = traffic.latencies().of(Latencies.Call.COMPLETE);
    this.lateness = traffic.latencies().of(Latencies.Call.LATENESS);
  }

  @Override
  public void run() {
    if (callers.inFlightCount() == 0) {
      runBlocking();
    } else {
      runByFutures();
    }
  }

  private void runBlocking() {
    while (traffic.awaitSpare()) {
      long startNs = System.nanoTime();
      Claimed claimed = target.claim(claimCount);
      long claimedNs = System.nanoTime();
      if (claimed.size() > 0) {
        recordClaim(claimed, startNs, claimedNs);
        hold(claimedNs);
        claimed.complete(traffic::completed);
        completeLatency.recordValue(System.nanoTime() - claimedNs);
      }
    }
  }

  private void hold(long claimedNs) {
    for (long left = holdNs; left > 0; left = holdNs - (System.nanoTime() - claimedNs)) {
      LockSupport.parkNanos(left);
    }
  }

  private void runByFutures() {
    InFlight inFlight = new InFlight(callers.inFlightCount());
    while (traffic.awaitSpare()) {
      inFlight.enter();
      long startNs = System.nanoTime();
      target
          .claimAsync(claimCount)
          .whenComplete(
              (claimed, thrown) -> {
                if (thrown != null) {
                  traffic.fail(thrown);
                }
                if (thrown == null && claimed.size() > 0) {
                  long claimedNs = System.nanoTime();
                  recordClaim(claimed, startNs, claimedNs);
                  complete(claimed, claimedNs, inFlight);
                } else {
                  inFlight.leave();
                }
              });
    }
    inFlight.awaitNone();
  }

  private void complete(Claimed claimed, long startNs, InFlight inFlight) {
    claimed
        .completeAsync(traffic::completed)
        .whenComplete(
            (done, thrown) -> {
              if (thrown == null) {
                completeLatency.recordValue(System.nanoTime() - startNs);
              } else {
                traffic.fail(thrown);
              }
              inFlight.leave();
            });
  }

  private void recordClaim(Claimed claimed, long startNs, long claimedNs) {
    claimLatency.recordValue(claimedNs - startNs);
    for (int i = 0; i < claimed.size(); i++) {
      long dueNs = claimed.dueNs(i);
      if (dueNs != 0 && traffic.isOfThisRound(dueNs)) {
        lateness.recordValue(Math.max(0, claimedNs - dueNs));
      }
    }
  }
}
