package io.millrace.worker;

import io.millrace.api.EngineClosedException;
import io.millrace.api.ExtendResult;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lengthens the leases of running jobs when a third of their time is over, those of one duration in
 * one call, and tells the jobs whose leases were lost. Also looks for waiting claims that could be
 * wider. Any thread.
 */
final class LeaseKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final String AGAIN = "leases could not be lengthened, and will be tried again";
  private static final Duration LOOK_LEAST = Duration.ofMillis(10);
  static final Duration LOOK_MOST = Duration.ofSeconds(1);
  private static final int LOOKS_PER_LEASE = 10;

  private final RunningWorker worker;
  private final Load load;
  private final WorkerThreads threads;
  private @Nullable Future<?> next;
  private Duration wait = LOOK_MOST;

  LeaseKeeper(RunningWorker worker, Load load, WorkerThreads threads) {
    this.worker = worker;
    this.load = load;
    this.threads = threads;
  }

  /** Keeps the leases of these runs as well. */
  void keep(List<JobRun> runs) {
    if (!runs.isEmpty()) {
      lookWithin(shortest(runs));
    }
  }

  private static Duration shortest(List<JobRun> runs) {
    Duration shortest = LOOK_MOST;
    for (JobRun run : runs) {
      Duration part = run.granted().dividedBy(LOOKS_PER_LEASE);
      shortest = part.compareTo(shortest) < 0 ? part : shortest;
    }
    return shortest.compareTo(LOOK_LEAST) < 0 ? LOOK_LEAST : shortest;
  }

  private synchronized void lookWithin(Duration time) {
    if (time.compareTo(LOOK_MOST) >= 0) {
      return; // the worker's guard looks as often
    }
    if (next == null || time.compareTo(wait) < 0) {
      if (next != null) {
        next.cancel(false);
      }
      next = null;
      wait = time;
      next = threads.after(time, this::look);
    }
  }

  /** Looks at the time that was set. Another look is set only if jobs run. */
  private void look() {
    synchronized (this) {
      next = null;
    }
    lookNow();
  }

  /** Lengthens the leases that are due. Never throws: the guard looks again. */
  void lookNow() {
    try {
      List<JobRun> runs = load.runs();
      keep(runs);
      List<JobRun> late = runs.stream().filter(run -> run.isLate(System.nanoTime())).toList();
      if (!late.isEmpty()) {
        worker.takeBack(late);
      }
      extend(runs);
      if (load.isNarrow()) {
        worker.widen();
      }
    } catch (Throwable e) {
      Telling.tell(() -> LOG.warn(AGAIN, e));
    }
  }

  private void extend(List<JobRun> runs) {
    Map<Duration, List<JobRun>> due = new HashMap<>();
    for (JobRun run : runs) {
      if (isDue(run)) {
        due.computeIfAbsent(run.granted(), duration -> new ArrayList<>()).add(run);
      }
    }
    due.forEach(
        (duration, of) -> {
          for (int from = 0; from < of.size(); from += Limits.CALL_JOB_COUNT_MAX) {
            extend(
                duration, of.subList(from, Math.min(of.size(), from + Limits.CALL_JOB_COUNT_MAX)));
          }
        });
  }

  private static boolean isDue(JobRun run) {
    // Also of one that is to stop: until its handler has ended, nobody else is to have the job.
    boolean isOver = run.isLost() || run.isEnded() || run.job().isCompleted();
    Duration thirdOver = run.granted().multipliedBy(2).dividedBy(3);
    return !isOver && run.lease().remaining().compareTo(thirdOver) < 0;
  }

  private void extend(Duration duration, List<JobRun> runs) {
    List<Lease> leases = runs.stream().map(JobRun::lease).toList();
    worker
        .queues()
        .extendAllAsync(leases, duration)
        .whenComplete(
            (results, thrown) -> {
              if (thrown == null) {
                told(runs, results);
              } else if (Settlement.causeOf(thrown) instanceof EngineClosedException) {
                worker.engineClosed();
              } else {
                Telling.tell(() -> LOG.warn(AGAIN, thrown));
              }
            });
  }

  private void told(List<JobRun> runs, List<ExtendResult> results) {
    for (int i = 0; i < runs.size(); i++) {
      JobRun run = runs.get(i);
      if (!results.get(i).isDone() && !run.job().isCompleted() && run.lose()) {
        Telling.tell(
            () -> LOG.warn("lease of a running job was lost: job={}", run.lease().jobId()));
        worker.told(listener -> listener.lost(run.job()));
      }
    }
  }
}
