package io.millrace.jmh.load;

import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/** What an engine does when nobody asks anything of it. */
public final class IdleRun {

  private static final Duration SETTLING = Duration.ofSeconds(2);

  private IdleRun() {}

  /**
   * What an idle engine did.
   *
   * @param seconds how long it was watched
   * @param cpuShare of one core, by the whole process
   * @param writeCount batches written
   * @param syncCount syncs
   */
  public record Result(double seconds, double cpuShare, long writeCount, long syncCount) {}

  /** Opens an engine, lets one job pass through it, and watches it doing nothing. */
  public static Result run(StoreFactory factory, Path folder, Duration length) {
    Metering metering = new Metering(factory);
    try (RunFolder run = RunFolder.create(folder);
        JobEngine engine =
            JobEngine.open(
                metering, StoreOptions.of(run.path().resolve("store")), EngineOptions.DEFAULT)) {
      engine.queue("load").enqueue(new byte[LoadOptions.PAYLOAD_BYTES_LEAST]);
      engine.queue("load").claim("idle", Duration.ofSeconds(30)).orElseThrow().complete();
      await(SETTLING);
      Footprint before = metering.total();
      long cpuBefore = cpuNs();
      long startNs = System.nanoTime();
      await(length);
      long elapsedNs = System.nanoTime() - startNs;
      Footprint written = metering.total().since(before);
      return new Result(
          elapsedNs / 1e9,
          (double) (cpuNs() - cpuBefore) / elapsedNs,
          written.batchCount(),
          written.syncCount());
    }
  }

  private static void await(Duration length) {
    long startNs = System.nanoTime();
    for (long left = length.toNanos(); left > 0; ) {
      LockSupport.parkNanos(left);
      left = length.toNanos() - (System.nanoTime() - startNs);
    }
  }

  private static long cpuNs() {
    try {
      return (long)
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), "ProcessCpuTime");
    } catch (JMException e) {
      throw new IllegalStateException("this JVM does not tell its processor time", e);
    }
  }
}
