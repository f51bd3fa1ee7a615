package io.millrace.cli.demo;

import io.millrace.api.Codec;
import io.millrace.api.EngineHealth;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.cli.demo.DemoSummary.DeadLetterList;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * One run of the demo on an open store: starts the workers that scan and hash, shows the progress,
 * and makes the manifest when nothing is left to do.
 */
final class DemoRun {

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);

  private static final JobType<byte[]> SCAN = type(DemoScan.QUEUE);
  private static final JobType<byte[]> FILE = type(FileJobs.QUEUE);

  private final JobEngine engine;
  private final DemoFolders folders;
  private final ResultJournal journal;
  private final DemoOptions options;
  private final Stop stop;
  private final JobQueue files;
  private final JobQueue scans;
  private final LongAdder bytesRead = new LongAdder();
  private final long startedNs = System.nanoTime();

  DemoRun(
      JobEngine engine,
      DemoFolders folders,
      ResultJournal journal,
      DemoOptions options,
      Stop stop) {
    this.engine = engine;
    this.folders = folders;
    this.journal = journal;
    this.options = options;
    this.stop = stop;
    this.files = engine.queue(FileJobs.QUEUE);
    this.scans = engine.queue(DemoScan.QUEUE);
  }

  private static JobType<byte[]> type(QueueName queue) {
    return JobType.of(queue.name(), Codec.BYTES);
  }

  /**
   * Does all there is to do; empty if it was asked to stop before.
   *
   * @throws IOException the journal or the manifest cannot be written
   * @throws RuntimeException what the engine threw to one of the threads
   */
  Optional<DemoSummary> run(Progress progress) throws IOException {
    long doneBefore = files.stats().map(DemoRun::doneCount).orElse(0L);
    DemoScan.enqueueOnce(engine);
    try (Worker scan = startScan();
        Worker hashing = startHashing()) {
      try {
        return finish(progress, doneBefore);
      } finally {
        hashing.stop(Duration.ZERO); // what is not hashed yet is handed back
        scan.stop(Duration.ZERO);
        progress.end();
        throwFailure();
      }
    }
  }

  private Worker startScan() {
    DemoScan scan = new DemoScan(files, folders, options.failEvery(), stop);
    return Worker.on(engine).name("demo-scan").concurrency(1).handle(SCAN, scan::handle).start();
  }

  private Worker startHashing() {
    int hasherCount = options.workerCount();
    DemoWorker worker = new DemoWorker(folders.source(), journal, hasherCount, bytesRead, stop);
    return Worker.on(engine)
        .name("demo-worker")
        .concurrency(hasherCount * FileJobs.WEIGHT_MAX)
        .steps(FILE, worker::handle, o -> o.concurrency(hasherCount + FileJobs.WEIGHT_MAX))
        .start();
  }

  private void throwFailure() throws IOException {
    Throwable failure = stop.failure().orElse(null);
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }

  private Optional<DemoSummary> finish(Progress progress, long doneBefore) throws IOException {
    awaitNothingLeft(progress, doneBefore);
    if (stop.isRequested()) {
      return Optional.empty();
    }
    LastLook look = LastLook.take(folders, files, journal, stop);
    awaitNothingLeft(progress, doneBefore);
    if (stop.isRequested()) {
      return Optional.empty();
    }
    SortedMap<FileName, HashedFile> results = look.resultsOfSeen(journal);
    Manifest.write(folders.dir().manifest(), results);
    return Optional.of(summary(look, results, doneBefore));
  }

  private void awaitNothingLeft(Progress progress, long doneBefore) {
    boolean isLeft = true;
    while (isLeft && !stop.isRequested()) {
      // The scan first: when it is done, all that it enqueued is in the other count.
      boolean isScanned = Pending.of(scans) == 0;
      Optional<QueueStats> stats = files.stats();
      progress.show(moment(stats, isScanned, doneBefore));
      checkHealth();
      isLeft = !isScanned || stats.map(Pending::of).orElse(0L) > 0;
      if (isLeft) {
        stop.await(LOOK_INTERVAL);
      }
    }
  }

  /** The workers would go on asking, in the hope that somebody makes room or reopens the store. */
  private void checkHealth() {
    EngineHealth health = engine.health();
    if (health.status() != EngineHealth.Status.UP) {
      throw new DemoException(
          "the store takes no more: %s; when that is mended, the same command goes on from here"
              .formatted(health.reason()));
    }
  }

  private Progress.Moment moment(Optional<QueueStats> stats, boolean isScanned, long doneBefore) {
    long done = stats.map(DemoRun::doneCount).orElse(0L);
    long pending = stats.map(Pending::of).orElse(0L);
    return new Progress.Moment(
        done, done + pending, isScanned, done - doneBefore, bytesRead.sum(), elapsed());
  }

  private DemoSummary summary(
      LastLook look, SortedMap<FileName, HashedFile> results, long doneBefore) {
    Optional<QueueStats> stats = files.stats();
    return new DemoSummary(
        results.size(),
        results.values().stream().mapToLong(HashedFile::sizeBytes).sum(),
        stats.map(s -> s.total(Total.RETRIED)).orElse(0L),
        DeadLetterList.of(files),
        look.linkCount(),
        look.specialCount(),
        moment(stats, true, doneBefore));
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startedNs);
  }

  private static long doneCount(QueueStats stats) {
    return stats.total(Total.COMPLETED) + stats.count(JobState.DEAD);
  }
}
