package io.millrace.worker;

/**
 * Works on a job and says what comes next; throwing fails the attempt.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface JobSteps<T> {

  /**
   * Works on the job and returns what becomes of it. Called on a thread of the worker's executor,
   * which is interrupted if the handler is to stop: see {@link JobContext#done}.
   *
   * @throws Exception the attempt fails: the job is tried again after its backoff, or is dead, as
   *     {@link HandlerOptions} and the job say
   */
  Next handle(T payload, JobContext job) throws Exception;
}
