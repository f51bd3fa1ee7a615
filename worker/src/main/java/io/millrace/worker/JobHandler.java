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
   */
  void handle(T payload, HandlerContext job) throws Exception;
}
