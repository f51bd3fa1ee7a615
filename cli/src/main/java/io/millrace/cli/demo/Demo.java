package io.millrace.cli.demo;

import io.millrace.api.Codec;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.cli.demo.DemoOptions.StoreKind;
import io.millrace.cli.text.Reason;
import io.millrace.cli.text.Terminal;
import io.millrace.console.text.Printable;
import io.millrace.engine.JobEngine;
import io.millrace.worker.RetryLog;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The demo from its options to its summary. For one thread, once. */
final class Demo {

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);
  private static final String FOLDER_KEY = "folder";

  private final DemoOptions options;
  private final PrintWriter out;
  private final LongAdder bytesRead = new LongAdder();
  private final long startedNs = System.nanoTime();

  Demo(DemoOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
  }

  /** The ways in which a run ends. */
  enum Ending {
    COMPLETE,
    /** The process was asked to stop; another run goes on from there. */
    STOPPED
  }

  /**
   * Runs the demo until nothing is left to do, or the process is asked to stop.
   *
   * @throws DemoException it cannot start or go on, and why
   * @throws io.millrace.MillraceException the store cannot be opened, or the engine cannot go on
   */
  Ending run() {
    SourceFolder source = SourceFolder.of(options.folder());
    try {
      prepareDir();
      try (JobEngine engine = JobEngine.open(options.location())) {
        return run(source, engine);
      }
    } catch (IOException e) {
      throw new DemoException(
          "cannot go on in %s: %s; when that is mended, the same command goes on from here"
              .formatted(shown(options.dir()), Reason.of(e)),
          e);
    } catch (EngineClosedException e) { // by the end of the process
      return Ending.STOPPED;
    }
  }

  private void prepareDir() throws IOException {
    if (Files.exists(options.dir()) && !Files.isDirectory(options.dir())) {
      throw new DemoException(
          "--dir is no folder: %s; name one, or one that is yet to be made"
              .formatted(shown(options.dir())));
    }
    try {
      Files.createDirectories(options.dir());
    } catch (IOException e) {
      throw new DemoException(
          "--dir cannot be written: %s: %s; name a folder that can"
              .formatted(shown(options.dir()), Reason.of(e)),
          e);
    }
    requireNothingElse();
    if (options.store() == StoreKind.MEMORY && Files.exists(options.storeFolder())) {
      throw new DemoException(
          "%s holds a demo whose jobs are kept; give another --dir"
              .formatted(shown(options.dir())));
    }
  }

  /** Keeps a slip of the user's from mixing the demo into a folder of something else. */
  private void requireNothingElse() throws IOException {
    if (Files.exists(options.storeFolder())) {
      return;
    }
    try (Stream<Path> files = Files.list(options.dir())) {
      Optional<Path> other = files.filter(file -> !options.isManifest(file)).findFirst();
      if (other.isPresent()) {
        throw new DemoException(
            "%s was not made by the demo and is not empty: it holds %s; give another --dir"
                .formatted(shown(options.dir()), shown(other.get().getFileName())));
      }
    }
  }

  private Ending run(SourceFolder source, JobEngine engine) throws IOException {
    JobQueue files = engine.queue(Scan.FILE.queueName());
    boolean isGoingOn = claimDir(source, engine, files);
    out.printf("%s %s%n", isGoingOn ? "Going on with" : "Hashing the files below", source);
    out.flush();
    long doneBefore = files.stats().map(Demo::doneCount).orElse(0L);
    Progress progress =
        new Progress(Terminal.isPresent() ? Progress.Style.DRAWN_OVER : Progress.Style.LINES, out);
    try (Worker worker = startWorker(source, engine)) {
      Thread stop = stopAtShutdown(worker);
      try {
        Runnable show = () -> progress.show(moment(files, false, doneBefore));
        Scan scan = new Scan(source, options, engine, show);
        scan.run();
        while (pendingCount(files) > 0) {
          progress.show(moment(files, true, doneBefore));
          requireHealthy(engine);
          LockSupport.parkNanos(LOOK_INTERVAL.toNanos());
        }
        progress.end();
        Collection<HashedFile> manifest = Manifest.write(options.manifest(), source, engine);
        new Summary(options, source, out)
            .print(manifest, scan, files, moment(files, true, doneBefore));
        return Ending.COMPLETE;
      } finally {
        forget(stop);
      }
    }
  }

  /**
   * Adds a shutdown hook that hands the worker's jobs back at once; the engine waits for it, and
   * closes itself.
   */
  private Thread stopAtShutdown(Worker worker) {
    Thread stop =
        new Thread(
            () -> {
              worker.stop(Duration.ZERO);
              out.println("Stopped. The same command goes on from here.");
              out.flush();
            },
            "demo-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    return stop;
  }

  /** Takes the hook back: a demo that has ended, or failed, does not say that it was stopped. */
  private static void forget(Thread stop) {
    try {
      Runtime.getRuntime().removeShutdownHook(stop);
    } catch (IllegalStateException e) {
      return; // the process is ending, and has begun with the hook
    }
  }

  /**
   * Claims the directory for this folder; returns whether a demo of the folder was begun here
   * before.
   */
  private boolean claimDir(SourceFolder source, JobEngine engine, JobQueue files) {
    Table<String, String> about = engine.table("about", Codec.TEXT, Codec.TEXT);
    if (options.isFresh()) {
      about.drop();
      HashedFile.table(engine).drop();
      files.delete();
    }
    if (!(about.putIfAbsent(FOLDER_KEY, source.uri()) instanceof RowResult.Other<String> other)) {
      return false;
    }
    String earlier = other.found().orElseThrow();
    if (!earlier.equals(source.uri())) {
      throw new DemoException(
          ("%s holds a demo of another folder: there FOLDER is %s, here %s; give another --dir, or"
                  + " replace it with --fresh")
              .formatted(shown(options.dir()), SourceFolder.shown(earlier), source));
    }
    return true;
  }

  private Worker startWorker(SourceFolder source, JobEngine engine) {
    FileHandler handler = new FileHandler(source, engine, bytesRead);
    int atOnce = options.workerCount() + Scan.WEIGHT_MAX; // many small files share a commit
    return Worker.on(engine)
        .name("demo-worker")
        .concurrency(options.workerCount() * Scan.WEIGHT_MAX)
        .retryLog(RetryLog.OFF) // failures that are simulated are no news
        .steps(Scan.FILE, handler::handle, o -> o.concurrency(atOnce))
        .start();
  }

  /**
   * Gives up if the store takes no more. The worker would go on asking, in the hope that somebody
   * makes room or reopens the store.
   */
  private static void requireHealthy(JobEngine engine) {
    EngineHealth health = engine.health();
    if (health.status() != EngineHealth.Status.UP) {
      throw new DemoException(
          "the store takes no more: %s; when that is mended, the same command goes on from here"
              .formatted(health.reason()));
    }
  }

  private Progress.Moment moment(JobQueue files, boolean isScanned, long doneBefore) {
    long done = files.stats().map(Demo::doneCount).orElse(0L);
    return new Progress.Moment(
        done,
        done + pendingCount(files),
        isScanned,
        done - doneBefore,
        bytesRead.sum(),
        Duration.ofNanos(System.nanoTime() - startedNs));
  }

  private static long doneCount(QueueStats stats) {
    return stats.total(Total.COMPLETED) + stats.count(JobState.DEAD);
  }

  private static long pendingCount(JobQueue files) {
    return files.stats().map(Demo::pendingCount).orElse(0L);
  }

  private static long pendingCount(QueueStats stats) {
    return stats.count(JobState.READY)
        + stats.count(JobState.DELAYED)
        + stats.count(JobState.LEASED);
  }

  private static String shown(Path path) {
    return Printable.text(path.toString());
  }
}
