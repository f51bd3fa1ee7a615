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
import io.millrace.worker.WorkerSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A measurement of how long after an enqueue has returned its job reaches the thread that is to
 * work on it.
 */
public final class WakeRun {

  private static final Duration PARKED_WAIT = Duration.ofSeconds(30);

  /**
   * The time between two jobs, so that the waiter has fallen asleep when the next one comes, and no
   * job waits for a processor that is busy with others.
   */
  private static final long PAUSE_NS = 1_000_000;

  private static final int WARM_UP_COUNT_MAX = 2_000;

  /** The most wakes of the warm-up for each that is measured: a glance warms up for a glance. */
  private static final int WARM_UP_FACTOR = 10;

  private static final int PRODUCER_COUNT_MAX = 64;
  private static final int DIGITS = 3;

  private static final JobType<Long> JOB = JobType.of("load", Codec.LONG);

  private WakeRun() {}

  /** Waiter for a job. */
  public enum Waiter {
    /** A thread whose claim is parked. */
    CLAIM("parked claim", 1, false),
    /** A worker: the job is there when its handler begins. */
    WORKER("worker of 1", 1, false),
    WORKER_OF_8("worker of 8", 8, false),
    WORKER_OF_64("worker of 64", 64, false),
    /** A worker on virtual threads. Needs Java 21. */
    WORKER_OF_VIRTUAL("worker of 1,000 virtual threads", 1_000, true);

    private final String text;
    private final int concurrency;
    private final boolean isVirtual;

    Waiter(String text, int concurrency, boolean isVirtual) {
      this.text = text;
      this.concurrency = concurrency;
      this.isVirtual = isVirtual;
    }

    @Override
    public String toString() {
      return text;
    }

    public boolean isVirtual() {
      return isVirtual;
    }

    int producerCount() {
      return Math.min(concurrency, PRODUCER_COUNT_MAX);
    }
  }

  /** Percentiles in microseconds; a job that was there before the enqueue returned counts as 0. */
  public record Result(Waiter waiter, long wakeCount, double p50Us, double p99Us, double maxUs) {}

  /**
   * Enqueues about {@code wakeCount} jobs, by as many producers as handlers may run, but at most
   * {@value #PRODUCER_COUNT_MAX}. Each producer waits for its own job.
   */
  public static Result run(
      StoreFactory factory, Path folder, Durability durability, int wakeCount, Waiter waiter) {
    Histogram all = new Histogram(DIGITS);
    ExecutorService threads = Executors.newCachedThreadPool(work -> new Thread(work, "bench-wake"));
    try (RunFolder run = RunFolder.create(folder);
        JobEngine engine =
            JobEngine.open(
                factory,
                StoreOptions.of(run.path().resolve("store")),
                EngineOptions.DEFAULT.durability(durability))) {
      LongFunction<Future<Long>> there =
          waiter == Waiter.CLAIM ? claims(engine, threads) : handlers(engine, waiter);
      int warmUpCount = (int) Math.min(WARM_UP_COUNT_MAX, (long) WARM_UP_FACTOR * wakeCount);
      wakes(engine, threads, there, warmUpCount, waiter.producerCount());
      wakes(engine, threads, there, wakeCount, waiter.producerCount()).forEach(all::add);
    } finally {
      threads.shutdown();
    }
    return new Result(
        waiter,
        all.getTotalCount(),
        all.getValueAtPercentile(50) / 1e3,
        all.getValueAtPercentile(99) / 1e3,
        all.getMaxValue() / 1e3);
  }

  /**
   * Returns a function that makes a claim on another thread, whose future tells when it has
   * returned.
   */
  private static LongFunction<Future<Long>> claims(JobEngine engine, ExecutorService claimer) {
    ClaimOptions claim = ClaimOptions.by("wake").waiting(PARKED_WAIT);
    return producer ->
        claimer.submit(
            () -> {
              List<Lease> leases = engine.queue(JOB.queueName()).claim(claim);
              long nowNs = System.nanoTime();
              leases.get(0).complete().orThrow();
              return nowNs;
            });
  }

  /**
   * Starts a worker, and returns a function whose future tells when the handler of the producer's
   * next job has begun.
   */
  private static LongFunction<Future<Long>> handlers(JobEngine engine, Waiter waiter) {
    Map<Long, CompletableFuture<Long>> asked = new ConcurrentHashMap<>();
    WorkerSetup setup =
        Worker.on(engine)
            .handle(JOB, (producer, job) -> complete(asked.remove(producer)))
            .concurrency(waiter.concurrency);
    if (waiter.isVirtual()) {
      setup.executor(VirtualThreads.executor());
    }
    setup.start(); // stops when the engine closes
    return producer -> {
      CompletableFuture<Long> began = new CompletableFuture<>();
      asked.put(producer, began);
      return began;
    };
  }

  private static void complete(@Nullable CompletableFuture<Long> began) {
    long nowNs = System.nanoTime();
    Objects.requireNonNull(began, "a job that nobody waits for").complete(nowNs);
  }

  private static List<Histogram> wakes(
      JobEngine engine,
      ExecutorService threads,
      LongFunction<Future<Long>> there,
      int count,
      int producerCount) {
    int each = Math.max(1, count / producerCount);
    long pauseNs = producerCount * PAUSE_NS;
    return LongStream.range(0, producerCount)
        .mapToObj(producer -> threads.submit(() -> wakes(engine, there, producer, each, pauseNs)))
        .toList()
        .stream()
        .map(Waiting::on)
        .toList();
  }

  private static Histogram wakes(
      JobEngine engine, LongFunction<Future<Long>> there, long producer, int count, long pauseNs) {
    Histogram histogram = new Histogram(DIGITS);
    Random random = new Random(producer); // or the producers would fall into step
    for (int i = 0; i < count; i++) {
      Future<Long> thereNs = there.apply(producer);
      LockSupport.parkNanos(pauseNs / 2 + random.nextLong(pauseNs));
      engine.enqueue(JOB, producer);
      long enqueuedNs = System.nanoTime();
      histogram.recordValue(Math.max(0, Waiting.on(thereNs) - enqueuedNs));
    }
    return histogram;
  }
}
