package io.millrace.worker;

/** What is to happen around every handler of a worker: measuring, logging contexts, tracing. */
@FunctionalInterface
public interface Middleware {

  /**
   * Called on the handler's thread. What it throws is as if the handler had thrown it.
   *
   * @param rest to be called once, and passed on what it throws; if it is not called, the handler
   *     is not, and the job is completed
   */
  void around(JobContext job, Rest rest) throws Exception;

  /** The middlewares that were named later, and in the end the handler. */
  @FunctionalInterface
  interface Rest {
    void proceed() throws Exception;
  }
}
