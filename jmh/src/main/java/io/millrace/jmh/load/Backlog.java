package io.millrace.jmh.load;

import java.util.List;
import java.util.function.Consumer;

/** The jobs, or rows, that are in a store before anything is measured. */
final class Backlog {

  private static final int CALL_JOB_COUNT_MAX = 1_000;
  private static final int CALL_BYTES = 8 << 20;

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
          target.enqueue(batch);
          traffic.enqueued(batch.size());
        });
  }

  /** Enqueues delayed jobs that stay there. */
  void fillFarOff(EngineTarget engine) {
    inCalls(
        batch -> {
          batch.forEach(payload -> payloads.fill(payload, NOBODYS, 0));
          engine.enqueueFarOff(batch);
        });
  }

  /** Puts rows into tables that nobody looks at. */
  void fillTables(EngineTarget engine) {
    inCalls(engine::putRows);
  }

  private void inCalls(Consumer<List<byte[]>> call) {
    int step = Math.max(1, Math.min(CALL_JOB_COUNT_MAX, CALL_BYTES / options.payloadBytes()));
    for (int left = options.backlogCount(); left > 0; left -= step) {
      call.accept(payloads.allocate(Math.min(left, step)));
    }
  }
}
