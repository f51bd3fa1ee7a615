package io.millrace.worker;

import io.millrace.MillraceException;
import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs handlers for the jobs of queues, until it is stopped. Any thread may use it.
 *
 * <pre>{@code
 * try (Worker worker = Worker.on(engine).handle(MAIL, (mail, job) -> mailer.send(mail)).start()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>It waits for jobs with one claim, without polling; keeps the leases of those that it runs; and
 * ends each job as its handler does. A job is run at least once. A handler that must not do a thing
 * twice fences by {@link JobContext#token}, or does it in {@link HandlerContext#completeWith}.
 */
public interface Worker extends AutoCloseable {

  /** The time that {@link #close} waits for running jobs. */
  Duration GRACE_DEFAULT = Duration.ofSeconds(30);

  /** Sets up a worker for the jobs of these queues. */
  static WorkerSetup on(JobQueues queues) {
    return new WorkerSetup(queues);
  }

  /** Returns the name under which the worker claims. */
  String name();

  /** Returns the jobs that run now, those that have run longest first. */
  List<RunningJob> running();

  /**
   * Returns the types of jobs that the worker met and has no handler for, and how often it met such
   * a job; at most 1,000 types, the rest as one.
   */
  default Map<String, Long> unknownTypes() {
    return Map.of();
  }

  /** Stops claiming jobs; those that run go on. */
  void pause();

  /** Claims jobs again. */
  void resume();

  boolean isPaused();

  /** Returns the total weight of jobs that may run at a time. */
  int concurrency();

  /**
   * Sets the total weight of jobs that may run at a time, from now on; those that run go on.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value
   *     Limits#WEIGHT_MAX}; nothing was changed
   */
  void concurrency(int weight);

  /**
   * Returns the total weight of the jobs that were claimed and whose handlers have not returned.
   */
  int busy();

  /**
   * Asks for a job to be cancelled, as {@link JobQueues#cancel} does, and interrupts its handler if
   * this worker runs it.
   *
   * @throws MillraceException as {@link JobQueues#cancel}; the handler is not interrupted
   */
  CancelResult cancel(JobId job);

  /**
   * Stops for good: claims no more, waits for running jobs, interrupts those that take longer than
   * the grace, and hands back those that do not end then either, and those that were interrupted
   * and returned without being {@link JobContext#done}. A start that was not finished does not
   * count, with two exceptions: jobs that were handed back like this five times before and kept no
   * state meanwhile, and handlers that have not ended when the JVM shuts down.
   *
   * <p>When this returns, no job that the worker had taken has a lease of this worker, and all that
   * its handlers ended is committed, unless the engine is closed. Jobs that were granted to its
   * last claim while that was given up are handed back at once, by the engine. If the thread is
   * interrupted, the grace is over. A further call waits for the same end, and the shorter grace is
   * kept.
   *
   * <p>Called by a handler or a middleware of this worker, it waits for all jobs but the caller's,
   * and the worker has stopped when that has ended, too: it ends as any job does, within the grace.
   * Called by a listener, it does not wait. The report contains what is known until then.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}; the worker goes on
   */
  StopReport stop(Duration grace);

  boolean isStopped();

  /** Stops the worker with the grace {@link #GRACE_DEFAULT}; see {@link #stop}. */
  @Override
  void close();
}
