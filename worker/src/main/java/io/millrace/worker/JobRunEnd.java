package io.millrace.worker;

import java.time.Duration;
import java.util.Optional;

/**
 * The end of a run of a job.
 *
 * @param outcome the fate of the job
 * @param ran the time that its handler took
 * @param thrown the exception that the handler threw, if it did; or the one that says why the
 *     payload could not be read
 */
public record JobRunEnd(Outcome outcome, Duration ran, Optional<Throwable> thrown) {

  /** The fate of a job after a run. */
  public enum Outcome {
    COMPLETED,
    /** The attempt failed, and the job is tried again. */
    RETRIED,
    /** The attempt failed, and was the last, or trying again would have been in vain. */
    DIED,
    SNOOZED,
    /** The job waits for a signal. */
    WAITED,
    /** The job was handed back: the worker stops, or the handler asked for it. */
    RELEASED,
    /** The job was to be cancelled, and is gone. */
    CANCELLED,
    /** The lease was lost before: what the handler did changed nothing of the job. */
    LOST,
    /** The store or the engine could not tell, and the lease is over by now. */
    UNKNOWN
  }
}
