package io.millrace.jmh.load;

import java.util.List;
import org.HdrHistogram.Recorder;

/** A thread that enqueues until it is told to stop. */
final class Producer implements Runnable {

  private final int index;
  private final LoadOptions options;
  private final Target target;
  private final Traffic traffic;
  private final Payloads payloads;
  private final Recorder latency;

  Producer(int index, LoadOptions options, Target target, Traffic traffic) {
    this.index = index;
    this.options = options;
    this.target = target;
    this.traffic = traffic;
    this.payloads = new Payloads(options.payloadBytes(), index);
    this.latency = traffic.latencies().of(Latencies.Call.ENQUEUE);
  }

  @Override
  public void run() {
    if (options.callers().inFlightCount() == 0) {
      runBlocking();
    } else {
      runByFutures();
    }
  }

  private void runBlocking() {
    Pace pace = pace();
    List<byte[]> batch = payloads.allocate(options.callers().batchCount());
    while (waitForRoom()) {
      long dueNs = pace.awaitNext();
      fill(batch);
      target.enqueue(batch);
      latency.recordValue(System.nanoTime() - dueNs);
      traffic.enqueued(batch.size());
    }
  }

  private void runByFutures() {
    Pace pace = pace();
    InFlight inFlight = new InFlight(options.callers().inFlightCount());
    while (waitForRoom()) {
      List<byte[]> batch = payloads.allocate(options.callers().batchCount());
      inFlight.enter();
      // Only from here on: that nobody may call yet is the tool's doing, not the engine's.
      long dueNs = pace.awaitNext();
      fill(batch);
      target
          .enqueueAsync(batch)
          .whenComplete(
              (done, thrown) -> {
                if (thrown == null) {
                  latency.recordValue(System.nanoTime() - dueNs);
                  traffic.enqueued(batch.size());
                } else {
                  traffic.fail(thrown);
                }
                inFlight.leave();
              });
    }
    inFlight.awaitNone();
  }

  private Pace pace() {
    return new Pace(Pace.intervalNs(options), System.nanoTime());
  }

  private void fill(List<byte[]> batch) {
    long dueNs =
        options.workload() == Workload.DELAYED
            ? System.nanoTime() + EngineTarget.DELAY.toNanos()
            : 0;
    for (byte[] payload : batch) {
      payloads.fill(payload, traffic.ledger().next(index), dueNs);
    }
  }

  /**
   * Waits for room, if there are consumers to make it. Returns false when the round is over: it was
   * stopped, or there is no consumer and all room is used.
   */
  private boolean waitForRoom() {
    return options.workload().hasConsumers()
        ? traffic.awaitRoom()
        : !traffic.isStopped() && traffic.hasRoom();
  }
}
