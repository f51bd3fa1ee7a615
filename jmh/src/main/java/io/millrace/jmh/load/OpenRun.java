package io.millrace.jmh.load;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A measurement of how long a store with many waiting jobs takes to open, how much memory the
 * engine then holds, and how much disk space the jobs take.
 */
public final class OpenRun {

  private static final String QUEUE = "load";
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int BATCH = 1_000;
  private static final int ROUND_COUNT = 5;

  private OpenRun() {}

  /** End of the process that filled the store. */
  public enum Ending {
    /** An orderly end: the process closed its engine. */
    CLOSE,
    /** A sudden end: the process was gone at once, as after {@code kill -9}. */
    HALT
  }

  /**
   * Measurements of the openings.
   *
   * @param waitingCount jobs that waited
   * @param ending how the process before had ended
   * @param openMs median time until the engine was open; after a halt that of the only opening
   * @param firstClaimMs time of the same opening from the call of open until a job was claimed
   * @param heapBytes bytes that the open engine adds to the live heap
   * @param diskBytesPerJob size of the store, as the process before left it, over the jobs
   */
  public record Result(
      long waitingCount,
      Ending ending,
      double openMs,
      double firstClaimMs,
      long heapBytes,
      double diskBytesPerJob) {}

  /**
   * Measurements of one opening.
   *
   * @param openMs time until the engine was open
   * @param firstClaimMs time until its first claim was answered
   * @param heapBytes bytes that the open engine adds to the live heap
   * @param isClaimed whether that claim found a job
   */
  record Opening(double openMs, double firstClaimMs, long heapBytes, boolean isClaimed) {}

  /** Fills a store in another process and opens it here. */
  public static Result run(
      StoreFactory factory, Path folder, int waitingCount, int payloadBytes, Ending ending) {
    try (RunFolder run = RunFolder.create(folder)) {
      Path store = run.path().resolve("store");
      fillInOtherProcess(
          List.of(
              factory.scheme(),
              store.toString(),
              Integer.toString(waitingCount),
              Integer.toString(payloadBytes),
              ending.name()));
      long diskBytes = RunFolder.bytes(store);
      Opening median = open(factory, store, ending == Ending.HALT ? 1 : ROUND_COUNT);
      if (!median.isClaimed) {
        throw new IllegalStateException("no job in a store that was filled: folder=" + store);
      }
      return new Result(
          waitingCount,
          ending,
          median.openMs,
          median.firstClaimMs,
          median.heapBytes,
          (double) diskBytes / waitingCount);
    }
  }

  /** Opens and closes a store several times. Returns the opening that took the median time. */
  static Opening open(StoreFactory factory, Path store, int count) {
    List<Opening> openings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      openings.add(open(factory, store));
    }
    openings.sort((a, b) -> Double.compare(a.openMs, b.openMs));
    return openings.get(openings.size() / 2);
  }

  private static Opening open(StoreFactory factory, Path store) {
    long heapBefore = liveHeapBytes();
    long startNs = System.nanoTime();
    try (JobEngine engine =
        JobEngine.open(factory, StoreOptions.of(store), EngineOptions.DEFAULT)) {
      long openNs = System.nanoTime() - startNs;
      boolean isClaimed = engine.queue(QUEUE).claim("load", LEASE).isPresent();
      long claimNs = System.nanoTime() - startNs;
      return new Opening(openNs / 1e6, claimNs / 1e6, liveHeapBytes() - heapBefore, isClaimed);
    }
  }

  /** Returns the bytes in use on the heap after a collection. */
  static long liveHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void fillInOtherProcess(List<String> arguments) {
    try {
      Process filling =
          new ProcessBuilder(JavaCommand.of(OpenRun.class, arguments.toArray(String[]::new)))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int exit = filling.waitFor();
      if (exit != 0) {
        throw new IllegalStateException("filling the store failed: exit=" + exit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("another java process cannot be started", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while filling the store", e);
    }
  }

  /** Runs the other process. Arguments: scheme, folder, jobs, payload bytes, ending. */
  public static void main(String[] args) {
    StoreFactory factory =
        ServiceLoader.load(StoreFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.scheme().equals(args[0]))
            .findFirst()
            .orElseThrow();
    JobEngine engine =
        JobEngine.open(
            factory,
            StoreOptions.of(Path.of(args[1])),
            EngineOptions.DEFAULT.durability(Durability.SYNCED));
    Payloads payloads = new Payloads(Integer.parseInt(args[3]), 1);
    int left = Integer.parseInt(args[2]);
    for (long number = 0; left > 0; left -= BATCH) {
      List<NewJob> jobs = new ArrayList<>();
      for (byte[] payload : payloads.allocate(Math.min(left, BATCH))) {
        payloads.fill(payload, number++, 0);
        jobs.add(NewJob.of(payload));
      }
      engine.queue(QUEUE).enqueueAll(jobs);
    }
    if (args[4].equals(Ending.HALT.name())) {
      Runtime.getRuntime().halt(0);
    }
    engine.close();
  }
}
