package io.millrace.api;

/**
 * A listener that is given each completed or dead job whose retention has passed, before the job is
 * removed. This is the place for an archive.
 *
 * <p><b>What it promises.</b> A job is removed only after {@link #beforeRemoval} has returned for
 * it. If that throws, the job stays and is offered again: after a second, and then after twice as
 * long each time, up to an hour. So a job that is never accepted is never removed; the others go
 * on, and {@link EngineHealth#warnings} tells how many stay and why. If more than 10,000 jobs stay,
 * those beyond that number are offered again each hour. After 100 refusals in a row there is a
 * pause of 10 s. Each job is offered at least once: it is offered again if the process ends, or a
 * commit fails, between the return and the removal. Offers may be late: jobs are offered one after
 * the other, the first to fall due first, and stay until their turn comes. Jobs that are removed in
 * another way (redriven, deleted, purged, with their queue) are not offered. A job that is removed
 * so while it is offered is gone all the same.
 *
 * <p>The listener is called where futures are completed: on {@link EngineOptions#futureExecutor} or
 * the engine's own thread for that, never on the thread that changes state. One call runs at a
 * time. It may read and make asynchronous calls, but should return soon: on the engine's own thread
 * other callers' answers wait for it, and a blocking call is refused with {@link
 * IllegalStateException}.
 */
@FunctionalInterface
public interface RetentionListener {

  /**
   * Accepts a job before it is removed.
   *
   * @param job the job as it is kept, with its result and history
   * @throws RuntimeException the job stays for now, and is offered again
   */
  void beforeRemoval(Job job);
}
