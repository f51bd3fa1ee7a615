package io.millrace.worker;

import io.millrace.worker.Source.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a worker, which comes once. Any thread; later callers wait for the first. */
final class WorkerEnd {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerEnd.class);

  /** The time that handlers may take when the JVM shuts down, unless another is set. */
  static final Duration GRACE_AT_SHUTDOWN = Duration.ofSeconds(5);

  /** The interval of looks whether handlers wait for the end of the JVM. */
  private static final Duration EXIT_LOOK = Duration.ofMillis(200);

  /** The time that an interrupted handler may take to end before its job is taken away. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  /**
   * The most time that the engine may take for the jobs that handlers ended, and for those handed
   * back.
   */
  private static final Duration COMMIT_MOST = Duration.ofSeconds(30);

  private final RunningWorker worker;
  private final Load load;
  private final WorkerThreads threads;
  private final List<AutoCloseable> first = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> last = new CopyOnWriteArrayList<>();
  private final CompletableFuture<StopReport> report = new CompletableFuture<>();
  private volatile boolean isShutdown;

  WorkerEnd(RunningWorker worker, Load load, WorkerThreads threads) {
    this.worker = worker;
    this.load = load;
    this.threads = threads;
  }

  /** Adds an object that is closed first of all. */
  void first(AutoCloseable closed) {
    first.add(closed);
  }

  /** Adds an object that is closed when all else is done. */
  void last(AutoCloseable closed) {
    last.add(closed);
  }

  boolean isDone() {
    return report.isDone();
  }

  StopReport stop(Duration grace) {
    return load.stop(grace) ? carryOut() : awaitFirst();
  }

  /** Stops the worker as {@link #stop} does, on another thread, without waiting. */
  void stopBeside(Duration grace) {
    if (load.stop(grace)) {
      first.forEach(this::close); // before the caller goes on
      threads.runBeside(this::carryOut);
    }
  }

  /**
   * Stops the worker as {@link #stop} does; if the caller is a handler, its own job is not waited
   * for.
   */
  StopReport stopFromHere(Duration grace) {
    Thread caller = Thread.currentThread();
    Optional<JobRun> own = load.runs().stream().filter(run -> run.isOn(caller)).findFirst();
    if (own.isEmpty()) {
      return stop(grace);
    }
    stopBeside(grace);
    load.awaitOthers(own.get());
    return load.report();
  }

  /** Stops the worker since the JVM shuts down; the engine is closed when this returns. */
  void stopAtShutdown(Optional<Duration> grace) {
    isShutdown = true;
    if (grace.map(load::stop).orElseGet(() -> load.stopUnlessSaid(GRACE_AT_SHUTDOWN))) {
      carryOut();
    } else {
      report.join();
    }
  }

  /** Waits until the worker has stopped, if it is stopping. */
  void awaitStopping() {
    if (load.isStopping()) {
      report.join();
    }
  }

  private StopReport carryOut() {
    LOG.info("worker stops: worker={}", worker.name());
    first.forEach(this::close);
    try {
      end();
    } finally {
      threads.close();
      last.forEach(this::close);
      report.complete(load.report());
    }
    LOG.info("worker stopped: worker={}, {}", worker.name(), report.join());
    return report.join();
  }

  private void end() {
    load.takeClaims().forEach(Claim::cancel);
    CompletableFuture<?> back = worker.leaving().handBack(load.runs(), JobRun::handBackWaiting);
    awaitGrace();
    boolean wasInterrupted =
        Thread.interrupted(); // the grace is over; the rest is done all the same
    for (JobRun run : load.runs()) {
      if (run.stop(StopReason.WORKER_STOPS)) {
        load.interrupted();
      }
    }
    awaitInterrupted();
    wasInterrupted |= Thread.interrupted();
    CompletableFuture<?> rest = worker.leaving().handBack(load.runs(), JobRun::handBackWaiting);
    await(CompletableFuture.allOf(back, rest, worker.leaving().cutOff(load.runs(), isShutdown)));
    load.awaitEmpty(COMMIT_MOST);
    worker.handBacks().sweep();
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitGrace() {
    boolean isMore = true;
    while (isMore) {
      isMore = load.awaitGrace(EXIT_LOOK) && !areAllExiting();
    }
  }

  private void awaitInterrupted() {
    if (!areAllExiting()) {
      load.awaitEmpty(AFTER_INTERRUPT);
    }
  }

  /**
   * Tells whether all handlers that still run have called for the end of the JVM, which waits for
   * this worker.
   */
  private boolean areAllExiting() {
    return isShutdown && load.runs().stream().allMatch(JobRun::isExiting);
  }

  /** Waits for the thread that stops the worker already. */
  private StopReport awaitFirst() {
    try {
      return report.get();
    } catch (InterruptedException e) {
      load.stop(Duration.ZERO);
      StopReport told = report.join();
      Thread.currentThread().interrupt();
      return told;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a report never fails", e);
    }
  }

  private void close(AutoCloseable closed) {
    try {
      closed.close();
    } catch (Throwable e) {
      Telling.tell(() -> LOG.warn("worker stops all the same: worker={}", worker.name(), e));
    }
  }

  private void await(CompletableFuture<?> done) {
    try {
      done.get(COMMIT_MOST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("jobs may not have been handed back: worker={}", worker.name(), e);
    }
  }
}
