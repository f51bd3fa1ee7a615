package io.millrace.worker;

import io.millrace.api.Lease;

/**
 * Is told what a worker does. Called on the threads of handlers and on the one where the engine
 * completes futures: must be quick and must not wait. What it throws is logged.
 */
public interface WorkerListener {

  /** A handler is about to be called, on this thread. */
  default void started(JobContext job) {}

  /** The job's end is committed, or cannot be any more. */
  default void ended(JobContext job, JobRunEnd end) {}

  /** The lease of a running job was lost: what its handler does changes nothing of it any more. */
  default void lost(JobContext job) {}

  /** The worker has no handler for the job's type, and hands it back for a while. */
  default void unknownType(Lease lease) {}
}
