package io.millrace.worker;

/** Code around every handler of a worker, for measuring, logging contexts, or tracing. */
@FunctionalInterface
public interface Middleware {

  /**
   * Runs around a handler, on the handler's thread.
   *
   * @param rest to be called once, and its exceptions passed on; if it is not called, the handler
   *     is not called either, and the job is completed
   * @throws Exception as if the handler had thrown it
   */
  void around(JobContext job, Rest rest) throws Exception;

  /** The middlewares that were added later, and then the handler. */
  @FunctionalInterface
  interface Rest {
    /**
     * Calls the next of them.
     *
     * @throws Exception as the handler or a middleware threw it; to be passed on
     */
    void proceed() throws Exception;
  }
}
