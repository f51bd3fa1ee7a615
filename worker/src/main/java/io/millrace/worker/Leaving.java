package io.millrace.worker;

import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.ReleaseResult;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ways in which jobs leave a worker though their handlers have not ended them. Any thread. */
final class Leaving {

  private static final Logger LOG = LoggerFactory.getLogger(Leaving.class);
  private static final String NOT_HANDED_BACK =
      "jobs were not handed back; they are served when their leases end";

  private final RunningWorker worker;
  private final Load load;
  private final WorkerThreads threads;

  Leaving(RunningWorker worker, Load load, WorkerThreads threads) {
    this.worker = worker;
    this.load = load;
    this.threads = threads;
  }

  /**
   * Hands jobs back; completes when that is done.
   *
   * @param isTaken takes a run's job away, and answers whether it could
   */
  CompletableFuture<?> handBack(List<JobRun> runs, Predicate<JobRun> isTaken) {
    List<Lease> leases = new ArrayList<>();
    for (JobRun run : runs) {
      if (isTaken.test(run)) {
        Outcome outcome = run.job().isCompleted() ? Outcome.COMPLETED : Outcome.RELEASED;
        if (outcome == Outcome.RELEASED) {
          leases.add(run.lease());
        }
        load.handedBack(run, outcome).forEach(worker::begin);
        worker.tellEnd(run, outcome);
      }
    }
    return release(leases);
  }

  /**
   * Ends the leases of jobs whose handlers do not end; completes when that is done.
   *
   * @param isOver whether the process ends with the handlers, so that each start counts
   */
  CompletableFuture<?> cutOff(List<JobRun> runs, boolean isOver) {
    List<JobRun> taken = runs.stream().filter(JobRun::takeAway).toList();
    CompletableFuture<?> done = new CompletableFuture<>();
    if (taken.isEmpty()) {
      done.complete(null);
    } else { // not here: a store that hangs must not keep the worker from its end
      threads.runBeside(
          () -> {
            taken.forEach(run -> cutOff(run, isOver));
            done.complete(null);
          });
    }
    return done;
  }

  private void cutOff(JobRun run, boolean isOver) {
    Outcome outcome = Outcome.COMPLETED;
    if (!run.job().isCompleted()) {
      LOG.warn(
          "a handler has not ended when its worker stops: worker={}, job={}, counted={}",
          worker.name(),
          run.lease().jobId(),
          isOver);
      outcome =
          new Settlement(worker, threads, run, run.cutOff(isOver))
              .ask()
              .exceptionally(thrown -> Outcome.UNKNOWN)
              .join();
    }
    load.handedBack(run, outcome).forEach(worker::begin);
    worker.tellEnd(run, outcome);
  }

  /** Hands leases back; completes when that is done. Never fails. */
  CompletableFuture<?> release(List<Lease> leases) {
    List<CompletableFuture<?>> parts = new ArrayList<>();
    for (int from = 0; from < leases.size(); from += Limits.CALL_JOB_COUNT_MAX) {
      int to = Math.min(leases.size(), from + Limits.CALL_JOB_COUNT_MAX);
      parts.add(releasePart(leases.subList(from, to)));
    }
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<?> releasePart(List<Lease> leases) {
    CompletableFuture<List<ReleaseResult>> released;
    try {
      released = worker.queues().releaseAllAsync(leases);
    } catch (Throwable e) {
      released = CompletableFuture.failedFuture(e);
    }
    return released.exceptionally(
        thrown -> {
          Telling.tell(() -> LOG.warn(NOT_HANDED_BACK, thrown));
          return List.of();
        });
  }
}
