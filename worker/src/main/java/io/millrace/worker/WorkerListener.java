package io.millrace.worker;

import io.millrace.api.Lease;

/**
 * A listener that is told what a worker does. It is called on the threads of handlers and on the
 * one where the engine completes futures: it must be quick and must not wait. Its exceptions are
 * logged.
 */
public interface WorkerListener {

  /**
   * Called when a handler is about to be called, on the handler's thread.
   *
   * @throws RuntimeException it is logged, and the worker goes on
   */
  default void started(JobContext job) {}

  /**
   * Called when the job's end is committed, or cannot be any more.
   *
   * @throws RuntimeException it is logged, and the worker goes on
   */
  default void ended(JobContext job, JobRunEnd end) {}

  /**
   * Called when the lease of a running job was lost: its handler changes nothing of the job any
   * more.
   *
   * @throws RuntimeException it is logged, and the worker goes on
   */
  default void lost(JobContext job) {}

  /**
   * Called when the worker has no handler for the job's type, and hands the job back for a while.
   *
   * @throws RuntimeException it is logged, and the worker goes on
   */
  default void unknownType(Lease lease) {}
}
