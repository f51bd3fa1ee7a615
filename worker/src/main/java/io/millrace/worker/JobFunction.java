package io.millrace.worker;

/**
 * Works on a job that has a result: returning completes the job with it, throwing fails the
 * attempt.
 *
 * @param <T> type of the payload
 * @param <R> type of the result
 */
@FunctionalInterface
public interface JobFunction<T, R> {

  /**
   * Works on the job and returns its result. Called on a thread of the worker's executor, which is
   * interrupted if the handler is to stop: see {@link JobContext#done}.
   *
   * @throws Exception the attempt fails: the job is tried again after its backoff, or is dead, as
   *     {@link HandlerOptions} and the job say
   */
  R handle(T payload, JobContext job) throws Exception;
}
