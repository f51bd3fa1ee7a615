package io.millrace.cli.demo;

import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.cli.demo.DemoSummary.DeadLetterList;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * One run of the demo on an open store: starts the scan and the workers, shows the progress, and
 * makes the manifest when nothing is left to do.
 */
final class DemoRun {

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);

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

  /**
   * Does all there is to do; empty if it was asked to stop before.
   *
   * @throws IOException the journal or the manifest cannot be written
   * @throws RuntimeException what the engine threw to one of the threads
   */
  Optional<DemoSummary> run(Progress progress) throws IOException {
    long doneBefore = files.stats().map(DemoRun::doneCount).orElse(0L);
    DemoScan.enqueueOnce(engine);
    try (LeaseKeeper keeper = new LeaseKeeper(engine)) {
      List<Thread> threads = start(keeper);
      try {
        return finish(progress, doneBefore);
      } finally {
        stop.request();
        threads.forEach(DemoRun::join);
        progress.end();
        throwFailure();
      }
    }
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

  private List<Thread> start(LeaseKeeper keeper) {
    List<Thread> threads = new ArrayList<>();
    DemoScan scan = new DemoScan(engine, keeper, folders, options.failEvery(), stop);
    threads.add(new Thread(scan, "demo-scan"));
    for (int i = 1; i <= options.workerCount(); i++) {
      FileHasher hasher = new FileHasher(folders.source(), stop, bytesRead);
      String name = "demo-worker-" + i;
      DemoWorker worker =
          new DemoWorker(name, engine, keeper, journal, new DemoWorker.Tools(hasher, stop));
      threads.add(new Thread(worker, name));
    }
    threads.forEach(Thread::start);
    return threads;
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
      isLeft = !isScanned || stats.map(Pending::of).orElse(0L) > 0;
      if (isLeft) {
        stop.await(LOOK_INTERVAL);
      }
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

  private static void join(Thread thread) {
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
