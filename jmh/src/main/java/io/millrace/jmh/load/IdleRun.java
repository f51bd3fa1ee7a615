package io.millrace.jmh.load;

import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A measurement of an engine, with a worker that waits on it, when nobody asks anything of them.
 */
public final class IdleRun {

  private static final Duration SETTLING = Duration.ofSeconds(2);

  /**
   * The time after which an idle queue leaves memory. It is written once more then, which is to be
   * over before the measurement.
   */
  private static final Duration QUEUE_IDLE = Duration.ofSeconds(1);

  private static final JobType<byte[]> JOB = JobType.of("load", Codec.BYTES);
  private static final Path IO_COUNTS = Path.of("/proc/self/io");
  private static final String WRITTEN = "write_bytes: ";

  private IdleRun() {}

  /**
   * Activity of an idle engine.
   *
   * @param seconds how long it was watched, and the process without it
   * @param cpuShare share of one core that the whole process took, with the engine
   * @param cpuShareWithout the same after the engine was closed: the JVM's own
   * @param writeCount batches written to the store
   * @param syncCount syncs of the store
   * @param writtenBytes bytes that the process sent to the disk; -1 where the system does not tell
   */
  public record Result(
      double seconds,
      double cpuShare,
      double cpuShareWithout,
      long writeCount,
      long syncCount,
      long writtenBytes) {}

  /**
   * Opens an engine, lets a worker do one job, lets its queue leave memory, and watches both doing
   * nothing. Watches only for the second such time: in the first the JVM compiles what runs once a
   * second.
   */
  public static Result run(StoreFactory factory, Path folder, Duration length) {
    Metering metering = new Metering(factory);
    Watched with;
    Footprint written;
    try (RunFolder run = RunFolder.create(folder);
        JobEngine engine =
            JobEngine.open(
                metering,
                StoreOptions.of(run.path().resolve("store")),
                EngineOptions.DEFAULT.queueIdle(QUEUE_IDLE))) {
      Worker.on(engine).handle(JOB, (payload, job) -> {}).start(); // stops when the engine closes
      engine.enqueue(JOB, new byte[LoadOptions.PAYLOAD_BYTES_LEAST]);
      await(SETTLING);
      await(length);
      Footprint before = metering.total();
      with = watch(length);
      written = metering.total().since(before);
    }
    await(SETTLING);
    Watched without = watch(length);
    return new Result(
        with.seconds(),
        with.cpuShare(),
        without.cpuShare(),
        written.batchCount(),
        written.syncCount(),
        with.writtenBytes());
  }

  /** Activity of the process for a while. */
  private record Watched(double seconds, double cpuShare, long writtenBytes) {}

  private static Watched watch(Duration length) {
    long writtenBefore = writtenBytes();
    long cpuBefore = cpuNs();
    long startNs = System.nanoTime();
    await(length);
    long elapsedNs = System.nanoTime() - startNs;
    double cpuShare = (double) (cpuNs() - cpuBefore) / elapsedNs;
    long written = writtenBefore < 0 ? -1 : writtenBytes() - writtenBefore;
    return new Watched(elapsedNs / 1e9, cpuShare, written);
  }

  private static long writtenBytes() {
    if (!Files.isReadable(IO_COUNTS)) {
      return -1;
    }
    try (Stream<String> lines = Files.lines(IO_COUNTS)) {
      return lines
          .filter(line -> line.startsWith(WRITTEN))
          .mapToLong(line -> Long.parseLong(line.substring(WRITTEN.length())))
          .findFirst()
          .orElse(-1);
    } catch (IOException e) {
      throw new UncheckedIOException("counts cannot be read: path=" + IO_COUNTS, e);
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
