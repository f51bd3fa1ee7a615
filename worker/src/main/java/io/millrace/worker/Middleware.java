package io.millrace.worker;

/** Code around every handler of a worker, for measuring, logging contexts, or tracing. */
@FunctionalInterface
public interface Middleware {

  /**
   * Runs around a handler, on the handler's thread. An exception counts as if the handler had
   * thrown it.
   *
   * @param rest to be called once, and its exceptions passed on; if it is not called, the handler
   *     is not called either, and the job is completed
   */
  void around(JobContext job, Rest rest) throws Exception;

  /** The middlewares that were added later, and then the handler. */
  @FunctionalInterface
  interface Rest {
    void proceed() throws Exception;
  }
}
