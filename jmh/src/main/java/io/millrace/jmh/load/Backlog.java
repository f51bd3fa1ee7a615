package io.millrace.jmh.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The jobs, or rows, that are in a store before anything is measured. */
final class Backlog {

  private static final int CALL_JOB_COUNT_MAX = 1_000;
  private static final int CALL_BYTES = 8 << 20;

  /** Calls under way at once: a store syncs for all of them together. */
  private static final int CALL_IN_FLIGHT = 8;

  /** The number of a job that is never to be completed. */
  private static final long NOBODYS = -1;

  private final LoadOptions options;
  private final Payloads payloads;

  Backlog(LoadOptions options) {
    this.options = options;
    this.payloads = new Payloads(options.payloadBytes(), options.callers().producerCount());
  }

  /** Enqueues ready jobs, in the name of one producer more than the run has. */
  void fill(Target target, Traffic traffic) {
    int producer = options.callers().producerCount();
    inCalls(
        batch -> {
          batch.forEach(payload -> payloads.fill(payload, traffic.ledger().next(producer), 0));
          return target.enqueueAsync(batch).thenRun(() -> traffic.enqueued(batch.size()));
        });
  }

  /** Enqueues delayed jobs that stay there. */
  void fillFarOff(EngineTarget engine) {
    inCalls(
        batch -> {
          batch.forEach(payload -> payloads.fill(payload, NOBODYS, 0));
          return engine.enqueueFarOff(batch);
        });
  }

  /** Puts rows into tables that nobody looks at. */
  void fillTables(EngineTarget engine) {
    inCalls(engine::putRows);
  }

  /** Makes calls until all is there. Several are under way, but they are made in their order. */
  private void inCalls(Function<List<byte[]>, CompletableFuture<?>> call) {
    int step = Math.max(1, Math.min(CALL_JOB_COUNT_MAX, CALL_BYTES / options.payloadBytes()));
    Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
    for (int left = options.backlogCount(); left > 0; left -= step) {
      if (underWay.size() == CALL_IN_FLIGHT) {
        Waiting.on(underWay.remove());
      }
      underWay.add(call.apply(payloads.allocate(Math.min(left, step))));
    }
    underWay.forEach(Waiting::on);
  }
}
