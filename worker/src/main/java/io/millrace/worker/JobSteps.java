package io.millrace.worker;

/**
 * Works on a job and says what comes next; throwing fails the attempt.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface JobSteps<T> {

  /** On a thread of the worker's executor; interrupted if the job takes too long. */
  Next handle(T payload, JobContext job) throws Exception;
}
