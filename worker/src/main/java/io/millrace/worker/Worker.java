package io.millrace.worker;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
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
 * ends each as its handler does. A job is run at least once: whoever must not do a thing twice
 * fences by {@link JobContext#token}, or does it in {@link HandlerContext#completeWith}.
 */
public interface Worker extends AutoCloseable {

  /** How long {@link #close} waits for running jobs. */
  Duration GRACE_DEFAULT = Duration.ofSeconds(30);

  /** A worker to be set up, for the jobs of these queues. */
  static WorkerSetup on(JobQueues queues) {
    return new WorkerSetup(queues);
  }

  /** As which it claims. */
  String name();

  /** The jobs that it runs now, those that run longest first. */
  List<RunningJob> running();

  /**
   * The types of jobs that it met and has no handler for, and how often it handed one back; at most
   * 1,000 types, the rest as one.
   */
  default Map<String, Long> unknownTypes() {
    return Map.of();
  }

  /** Claims no more jobs; those that run go on. */
  void pause();

  /** Claims jobs again. */
  void resume();

  boolean isPaused();

  /** Of how much weight it runs jobs at a time. */
  int concurrency();

  /** Runs jobs of this weight at a time from now on; those that run go on. */
  void concurrency(int weight);

  /** Of how much weight it runs jobs now. */
  int busy();

  /**
   * Asks for a job to be cancelled, as {@link JobQueues#cancel}, and interrupts its handler if this
   * worker runs it.
   */
  CancelResult cancel(JobId job);

  /**
   * Stops for good: claims no more, waits for running jobs, interrupts those that take longer than
   * the grace, and hands back what does not end then either, and what was interrupted and returned
   * without being {@link JobContext#done}. No attempt is counted for what was not finished, but for
   * jobs that were handed back so five times before and kept no state meanwhile, and for handlers
   * that have not ended when the JVM shuts down.
   *
   * <p>When this returns, no job that it had taken has a lease of this worker, and all that its
   * handlers ended is committed, unless the engine is closed; jobs that were granted to its last
   * claim while that was given up are handed back at once, by the engine. If the thread is
   * interrupted, the grace is over. Called again, it waits for the same end, and the shorter grace
   * is kept.
   *
   * <p>Called by a handler or a middleware of this worker, it waits for all jobs but the caller's,
   * and the worker has stopped when that has ended, too: it ends as any job does, within the grace.
   * Called by a listener, it does not wait. The report tells what is known until then.
   */
  StopReport stop(Duration grace);

  boolean isStopped();

  /** As {@link #stop} with {@link #GRACE_DEFAULT}. */
  @Override
  void close();
}
