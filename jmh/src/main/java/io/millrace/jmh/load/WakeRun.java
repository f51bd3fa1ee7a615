package io.millrace.jmh.load;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** How long after an enqueue has returned its job is there where it is to be worked on. */
public final class WakeRun {

  private static final Duration PARKED_WAIT = Duration.ofSeconds(30);
  private static final int WARM_UP_COUNT = 200;
  private static final int DIGITS = 3;

  private static final JobType<byte[]> JOB = JobType.of("load", Codec.BYTES);

  private WakeRun() {}

  /** Who waits for the job. */
  public enum Waiter {
    /** A thread whose claim is parked. */
    CLAIM,
    /** A worker: the job is there when its handler begins. */
    WORKER
  }

  /** Percentiles in microseconds; a job that was there before the enqueue returned counts as 0. */
  public record Result(Waiter waiter, int wakeCount, double p50Us, double p99Us, double maxUs) {}

  /** Enqueues one job after another, each for one who waits. */
  public static Result run(
      StoreFactory factory, Path folder, Durability durability, int wakeCount, Waiter waiter) {
    Histogram histogram = new Histogram(DIGITS);
    ExecutorService claimer =
        Executors.newSingleThreadExecutor(work -> new Thread(work, "bench-wake"));
    try (RunFolder run = RunFolder.create(folder);
        JobEngine engine =
            JobEngine.open(
                factory,
                StoreOptions.of(run.path().resolve("store")),
                EngineOptions.DEFAULT.durability(durability))) {
      Supplier<Future<Long>> there =
          waiter == Waiter.CLAIM ? claims(engine, claimer) : handlers(engine);
      for (int i = 0; i < WARM_UP_COUNT + wakeCount; i++) {
        long latenessNs = wakeOnce(engine, there);
        if (i >= WARM_UP_COUNT) {
          histogram.recordValue(Math.max(0, latenessNs));
        }
      }
    } finally {
      claimer.shutdown();
    }
    return new Result(
        waiter,
        wakeCount,
        histogram.getValueAtPercentile(50) / 1e3,
        histogram.getValueAtPercentile(99) / 1e3,
        histogram.getMaxValue() / 1e3);
  }

  /** Each time, a claim is made that tells when it has returned. */
  private static Supplier<Future<Long>> claims(JobEngine engine, ExecutorService claimer) {
    ClaimOptions claim = ClaimOptions.by("wake").waiting(PARKED_WAIT);
    return () ->
        claimer.submit(
            () -> {
              List<Lease> leases = engine.queue(JOB.queueName()).claim(claim);
              long nowNs = System.nanoTime();
              leases.get(0).complete().orThrow();
              return nowNs;
            });
  }

  /** Each time, the worker's next handler tells when it has begun. The engine's end is its end. */
  private static Supplier<Future<Long>> handlers(JobEngine engine) {
    Queue<CompletableFuture<Long>> asked = new ConcurrentLinkedQueue<>();
    Worker.on(engine)
        .handle(JOB, (payload, job) -> asked.remove().complete(System.nanoTime()))
        .concurrency(1)
        .start();
    return () -> {
      CompletableFuture<Long> began = new CompletableFuture<>();
      asked.add(began);
      return began;
    };
  }

  private static long wakeOnce(JobEngine engine, Supplier<Future<Long>> there) {
    Future<Long> thereNs = there.get();
    // Until whoever waits sleeps; nobody can be asked whether the loop has parked the claim.
    long sinceNs = System.nanoTime();
    while (System.nanoTime() - sinceNs < 1_000_000) {
      Thread.yield();
    }
    engine.enqueue(JOB, new byte[LoadOptions.PAYLOAD_BYTES_LEAST]);
    long enqueuedNs = System.nanoTime();
    return Waiting.on(thereNs) - enqueuedNs;
  }
}
