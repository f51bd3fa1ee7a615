package io.millrace.worker;

/**
 * Works on a job: returning completes it, throwing fails the attempt.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface JobHandler<T> {

  /**
   * On a thread of the worker's executor; interrupted if it is to stop: {@link JobContext#done}.
   */
  void handle(T payload, HandlerContext job) throws Exception;
}
