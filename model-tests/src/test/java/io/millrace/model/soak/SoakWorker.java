package io.millrace.model.soak;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** The process of a run: works for its time, then says what it took. */
final class SoakWorker {

  /** Jobs that wait all the time. */
  static final int BACKLOG = 5_000;

  private static final String QUEUE = "mail";
  private static final int THREAD_COUNT = 2;
  private static final int SAMPLES = 40;

  private final JobEngine engine;
  private final Path folder;
  private final int seconds;
  private final long beginNs = System.nanoTime();
  private final SoakReport report = new SoakReport();
  private long oldestReaderMs;

  private SoakWorker(JobEngine engine, Path folder, int seconds) {
    this.engine = engine;
    this.folder = folder;
    this.seconds = seconds;
  }

  /** Is given the location, the store's folder, and for how many seconds to work. */
  public static void main(String[] arguments) throws Exception {
    EngineOptions options = EngineOptions.DEFAULT.durability(Durability.BUFFERED);
    try (JobEngine engine = JobEngine.open(arguments[0], options)) {
      JobQueue queue = engine.queue(QUEUE);
      for (int i = 0; i < BACKLOG; i++) {
        SoakLoad.enqueue(queue, i);
      }
      SoakWorker worker =
          new SoakWorker(engine, Path.of(arguments[1]), Integer.parseInt(arguments[2]));
      worker.run(queue);
      worker.report.lines().forEach(System.out::println);
    }
  }

  private SoakPhase phase() {
    return SoakPhase.at((System.nanoTime() - beginNs) / 1e9, seconds);
  }

  private void run(JobQueue queue) throws IOException, InterruptedException {
    List<SoakLoad> loads = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREAD_COUNT; i++) {
      SoakLoad load = new SoakLoad(queue, this::phase);
      loads.add(load);
      threads.add(new Thread(load));
    }
    SoakScans scans = new SoakScans(engine, QUEUE, this::phase);
    threads.add(new Thread(scans));
    threads.forEach(Thread::start);
    watch();
    for (Thread thread : threads) {
      thread.join();
    }
    report.put("completed", loads.stream().mapToLong(SoakLoad::completedCount).sum());
    report.put("firstP99Ns", p99(loads, SoakPhase.FIRST));
    report.put("scannedP99Ns", p99(loads, SoakPhase.SCANNED));
    report.put("lastP99Ns", p99(loads, SoakPhase.LAST));
    report.put("pages", scans.pageCount());
    report.put("verifications", scans.verifyCount());
    report.put("problems", scans.problemCount() + engine.verify().problems().size());
    report.put("oldestReaderMs", oldestReaderMs);
    report.put("ready", queue.stats().orElseThrow().count(JobState.READY));
    report.put("leased", queue.stats().orElseThrow().count(JobState.LEASED));
  }

  /** Takes samples, and looks for readers that stay, until the time is over. */
  private void watch() throws IOException {
    long everyNs = TimeUnit.SECONDS.toNanos(seconds) / SAMPLES;
    long nextNs = beginNs;
    for (SoakPhase now = phase(); now != SoakPhase.OVER; now = phase()) {
      if (System.nanoTime() - nextNs >= 0) {
        report.add(
            new SoakReport.Sample(
                now, fileBytes(), heapBytes(), anonymousBytes() - heapReserved()));
        nextNs += everyNs;
      }
      long oldestMs = engine.metrics().oldestReaderAge().map(Duration::toMillis).orElse(0L);
      oldestReaderMs = Math.max(oldestReaderMs, oldestMs);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static long p99(List<SoakLoad> loads, SoakPhase phase) {
    Histogram all = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    loads.forEach(load -> all.add(load.claimNs(phase)));
    return all.getValueAtPercentile(99);
  }

  /** A log or table that the store has just done with, and that is gone meanwhile, has no size. */
  private long fileBytes() throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes[0] += attributes.size();
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes[0];
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** All of the heap is touched at the start. */
  private static long heapReserved() {
    return Runtime.getRuntime().maxMemory();
  }

  /** What the process holds of memory that is not a file's. */
  private static long anonymousBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("RssAnon:")) {
        return 1_024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("the system does not tell RssAnon in /proc/self/status");
  }
}
