package io.millrace.worker;

import java.time.Duration;
import java.util.Optional;

/**
 * How a run of a job ended.
 *
 * @param outcome what became of the job
 * @param ran how long its handler took
 * @param thrown what the handler threw, if it did
 */
public record JobRunEnd(Outcome outcome, Duration ran, Optional<Throwable> thrown) {

  /** What became of a job that a worker has run. */
  public enum Outcome {
    COMPLETED,
    /** The attempt failed, and the job is tried again. */
    RETRIED,
    /** The attempt failed, and was the last, or trying again would have been in vain. */
    DIED,
    SNOOZED,
    /** It waits for a signal. */
    WAITED,
    /** It was handed back: the worker stops, or the handler asked for it. */
    RELEASED,
    /** Somebody had asked for it to be cancelled, and it is gone. */
    CANCELLED,
    /** The lease was lost before: what the handler did changed nothing of the job. */
    LOST,
    /** The store or the engine could not tell, and the lease is over by now. */
    UNKNOWN
  }
}
