package io.millrace.jmh.load;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** How long after an enqueue has returned the parked claim returns that the job went to. */
public final class WakeRun {

  private static final Duration PARKED_WAIT = Duration.ofSeconds(30);
  private static final int WARM_UP_COUNT = 200;
  private static final int DIGITS = 3;

  private WakeRun() {}

  /** Percentiles in microseconds; a claim that returned before the enqueue did counts as 0. */
  public record Result(int wakeCount, double p50Us, double p99Us, double maxUs) {}

  /** Enqueues one job after another, each for one parked claim. */
  public static Result run(
      StoreFactory factory, Path folder, Durability durability, int wakeCount) {
    Histogram histogram = new Histogram(DIGITS);
    ExecutorService worker =
        Executors.newSingleThreadExecutor(work -> new Thread(work, "bench-wake"));
    try (RunFolder run = RunFolder.create(folder);
        JobEngine engine =
            JobEngine.open(
                factory,
                StoreOptions.of(run.path().resolve("store")),
                EngineOptions.DEFAULT.durability(durability))) {
      JobQueue queue = engine.queue("load");
      for (int i = 0; i < WARM_UP_COUNT + wakeCount; i++) {
        long latenessNs = wakeOnce(queue, worker);
        if (i >= WARM_UP_COUNT) {
          histogram.recordValue(Math.max(0, latenessNs));
        }
      }
    } finally {
      worker.shutdown();
    }
    return new Result(
        wakeCount,
        histogram.getValueAtPercentile(50) / 1e3,
        histogram.getValueAtPercentile(99) / 1e3,
        histogram.getMaxValue() / 1e3);
  }

  private static long wakeOnce(JobQueue queue, ExecutorService worker) {
    ClaimOptions claim = ClaimOptions.by("wake").waiting(PARKED_WAIT);
    Future<Long> claimedNs =
        worker.submit(
            () -> {
              List<Lease> leases = queue.claim(claim);
              long nowNs = System.nanoTime();
              leases.get(0).complete().orThrow();
              return nowNs;
            });
    // Until the worker sleeps in its claim; it cannot be asked whether the loop has parked it.
    long sinceNs = System.nanoTime();
    while (System.nanoTime() - sinceNs < 1_000_000) {
      Thread.yield();
    }
    queue.enqueue(new byte[LoadOptions.PAYLOAD_BYTES_LEAST]);
    long enqueuedNs = System.nanoTime();
    return Waiting.on(claimedNs) - enqueuedNs;
  }
}
