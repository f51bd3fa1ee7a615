package io.millrace.jmh.beside;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.jmh.load.RunFolder;
import io.millrace.jmh.load.Waiting;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * A run in which one caller enqueues a job each millisecond or so, in turns alone and beside a call
 * at its limits that is made again and again on another queue of the same engine.
 */
public final class BesideRun {

  private static final int DIGITS = 3;
  private static final int CALL_COUNT_LEAST = 3;
  private static final Duration ALONE = Duration.ofMillis(300);
  private static final Duration SETTLING = Duration.ofMillis(200);
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final long PAUSE_NS = 1_000_000;

  /** The longest run, in multiples of its length, however short the calls are. */
  private static final int PATIENCE = 5;

  private final JobEngine engine;
  private final Recorder alone = new Recorder(DIGITS);
  private final Recorder beside = new Recorder(DIGITS);
  private final Histogram calls = new Histogram(DIGITS);

  /** The number of parts of rounds that have begun since the first. */
  private final AtomicInteger part = new AtomicInteger();

  private volatile boolean isOver;

  /** The parts of a round, in this order. */
  private enum Part {
    SETTLING,
    ALONE,
    PREPARING,
    CALL;

    private static Part of(int number) {
      return values()[number % values().length];
    }
  }

  private BesideRun(JobEngine engine) {
    this.engine = engine;
  }

  /**
   * Options of a run.
   *
   * @param length how long calls run in all, at least, if that is done in five times as long
   * @param jobCount jobs or rows of a call that may have any number of them
   */
  public record Options(Durability durability, Duration length, int jobCount, Path folder) {}

  /**
   * The outcome of a run, in milliseconds.
   *
   * @param calls how long the call took
   * @param alone how long enqueues took without the call
   * @param beside how long enqueues took beside the call
   */
  public record Result(BulkCall call, Waits calls, Waits alone, Waits beside) {

    /** Returns how many times as long as alone one of a hundred waits. */
    public double ratio() {
      return beside.p99Ms / alone.p99Ms;
    }

    /**
     * Returns how long one of a hundred may wait: four times as long as alone, and for one commit
     * of the call if it cannot be divided.
     */
    public double wantedMs() {
      double commitMs = call.nature() == BulkCall.Nature.ONE_COMMIT ? calls.p99Ms : 0;
      return 4 * alone.p99Ms + commitMs;
    }
  }

  /** The times that calls took, in milliseconds. */
  public record Waits(long count, double p50Ms, double p99Ms, double maxMs) {

    private static Waits of(Histogram all) {
      return new Waits(all.getTotalCount(), ms(all, 50), ms(all, 99), all.getMaxValue() / 1e6);
    }
  }

  private static double ms(Histogram ns, double percentile) {
    return ns.getValueAtPercentile(percentile) / 1e6;
  }

  /** Runs the call on a store of its own. */
  public static Result run(StoreFactory factory, Options options, BulkCall call) {
    try (RunFolder run = RunFolder.create(options.folder());
        JobEngine engine =
            JobEngine.open(
                factory,
                StoreOptions.of(run.path().resolve("store")),
                EngineOptions.DEFAULT.durability(options.durability()))) {
      return new BesideRun(engine).run(options, call, run.path());
    }
  }

  private Result run(Options options, BulkCall call, Path folder) {
    ExecutorService thread = Executors.newSingleThreadExecutor(work -> new Thread(work, "beside"));
    try {
      Future<?> caller = thread.submit(this::enqueueUntilOver);
      try {
        sleep(WARM_UP, options);
        callAgainAndAgain(options, call, folder);
      } finally {
        isOver = true;
        Waiting.on(caller);
      }
    } finally {
      thread.shutdown();
    }
    return new Result(
        call,
        Waits.of(calls),
        Waits.of(alone.getIntervalHistogram()),
        Waits.of(beside.getIntervalHistogram()));
  }

  private void callAgainAndAgain(Options options, BulkCall call, Path folder) {
    long lengthNs = options.length().toNanos();
    long beganNs = System.nanoTime();
    long calledNs = 0;
    while (calls.getTotalCount() < CALL_COUNT_LEAST
        || (calledNs < lengthNs && System.nanoTime() - beganNs < PATIENCE * lengthNs)) {
      // The parts of a round, in their order.
      sleep(SETTLING, options);
      part.incrementAndGet();
      sleep(ALONE, options);
      part.incrementAndGet();
      int number = (int) calls.getTotalCount();
      BulkPlace place = new BulkPlace(engine, number, options.jobCount(), folder);
      Runnable ready = call.preparation().prepare(place);
      part.incrementAndGet();
      long callNs = System.nanoTime();
      ready.run();
      callNs = System.nanoTime() - callNs;
      part.incrementAndGet();
      calls.recordValue(callNs);
      calledNs += callNs;
    }
  }

  /** Sleeps for {@code most}, or for as long as calls are to run if that is shorter. */
  private static void sleep(Duration most, Options options) {
    LockSupport.parkNanos(Math.min(most.toNanos(), options.length().toNanos()));
  }

  private void enqueueUntilOver() {
    Random random = new Random(1); // so that nothing falls into step
    byte[] payload = new byte[BulkPlace.PAYLOAD_BYTES];
    while (!isOver) {
      int first = part.get();
      long startNs = System.nanoTime();
      engine.queue("innocent").enqueue(payload);
      record(System.nanoTime() - startNs, first, part.get());
      LockSupport.parkNanos(PAUSE_NS / 2 + random.nextLong(PAUSE_NS));
    }
  }

  /** Notes an enqueue that lasted from one part to another. */
  private void record(long ns, int first, int last) {
    if (IntStream.rangeClosed(first, last).anyMatch(each -> Part.of(each) == Part.CALL)) {
      beside.recordValue(ns);
    } else if (first == last && Part.of(first) == Part.ALONE) {
      alone.recordValue(ns);
    }
  }
}
