package io.millrace.jmh.suite;

import io.millrace.jmh.load.Footprint;
import io.millrace.jmh.load.Metering;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Shape of the batches that the engine writes for its callers.
 *
 * @param written the rows, batches and syncs that were written
 * @param operationCount the operations of all callers for which that was written
 * @param callerCount the number of callers
 */
record BatchShape(Footprint written, long operationCount, int callerCount) {

  double operationsPerBatchOfCaller() {
    return (double) operationCount / Math.max(1, written.batchCount()) / callerCount;
  }

  /**
   * Lets as many callers as the benchmark has drive an engine for as long as one of its iterations,
   * after as long a warm-up: while its code is cold the engine gathers other batches.
   */
  static BatchShape measure(SideState load, BenchmarkParams parameters) {
    long lengthNs = parameters.getMeasurement().getTime().convertTo(TimeUnit.NANOSECONDS);
    Metering metering = new Metering(load.factory());
    ExecutorService callers = Executors.newFixedThreadPool(parameters.getThreads());
    try (EngineSide engine = new EngineSide(load, metering)) {
      Callers all = new Callers(engine, callers, parameters.getThreads());
      all.operate(lengthNs);
      engine.empty();
      Footprint before = metering.total();
      long operationCount = all.operate(lengthNs);
      BatchShape shape = new BatchShape(metering.total().since(before), operationCount, all.count);
      engine.empty();
      return shape;
    } finally {
      callers.shutdown();
    }
  }

  /** Threads that drive the same engine. */
  private record Callers(Side side, ExecutorService threads, int count) {

    /** Lets every caller operate at least once. Returns how often all of them did. */
    long operate(long lengthNs) {
      List<CompletableFuture<Long>> counts = new ArrayList<>();
      long startNs = System.nanoTime();
      for (int i = 0; i < count; i++) {
        counts.add(CompletableFuture.supplyAsync(() -> operate(startNs, lengthNs), threads));
      }
      return counts.stream().mapToLong(CompletableFuture::join).sum();
    }

    private long operate(long startNs, long lengthNs) {
      long operationCount = 0;
      do {
        side.operate();
        operationCount++;
      } while (System.nanoTime() - startNs < lengthNs);
      return operationCount;
    }
  }
}
