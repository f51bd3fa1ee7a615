package io.millrace.worker;

/**
 * Works on a job: returning completes it, throwing fails the attempt.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface JobHandler<T> {

  /**
   * Works on the job. Called on a thread of the worker's executor, which is interrupted if the
   * handler is to stop: see {@link JobContext#done}.
   *
   * @throws Exception the attempt fails: the job is tried again after its backoff, or is dead, as
   *     {@link HandlerOptions} and the job say
   */
  void handle(T payload, HandlerContext job) throws Exception;
}
