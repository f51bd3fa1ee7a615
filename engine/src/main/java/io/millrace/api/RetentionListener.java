package io.millrace.api;

/**
 * Is given each completed or dead job whose retention has passed, before it is removed: the place
 * for an archive.
 *
 * <p><b>What it promises.</b> A job is removed only after {@link #beforeRemoval} has returned for
 * it. If that throws, the job stays and is offered again: after a second, and twice as long each
 * time, up to an hour. So a job that is never accepted is never removed; the others go on, and
 * {@link EngineHealth#warnings} tells how many stay and why. Of more than 10,000 that stay the
 * others are offered again each hour. After 100 refusals in a row comes a pause of 10 s. It is at
 * least once: a job is offered again if the process ends, or a commit fails, between the return and
 * the removal. It may be late: jobs are offered one after the other, the first to fall due first,
 * and stay until their turn comes. Jobs that leave in another way (redriven, deleted, purged, with
 * their queue) are not offered; one that leaves so while it is offered is gone all the same.
 *
 * <p>Called where futures are completed: on {@link EngineOptions#futureExecutor} or the engine's
 * own thread for that, never on the thread that changes state. One call runs at a time. It may read
 * and make asynchronous calls, but should return soon: on the engine's own thread the answers of
 * others wait for it, and a blocking call is refused with {@link IllegalStateException}.
 */
@FunctionalInterface
public interface RetentionListener {

  /** The job as it is kept, with its result and history. */
  void beforeRemoval(Job job);
}
