package io.millrace.worker;

/**
 * Works on a job and says what comes next; throwing fails the attempt.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface JobSteps<T> {

  /**
   * On a thread of the worker's executor; interrupted if it is to stop: {@link JobContext#done}.
   */
  Next handle(T payload, JobContext job) throws Exception;
}
