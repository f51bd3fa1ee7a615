package io.millrace.api;

/**
 * Is told what happens to jobs, once that is durable.
 *
 * <p>Each listener has a thread of its own, on which it may wait and call anything. What it throws
 * is logged, and it is told of what comes next. One that is slower than what happens misses some of
 * it, for the engine waits for no listener.
 */
@FunctionalInterface
public interface JobListener {

  /** Something happened. Events of a queue come in the order of their commits. */
  void happened(JobEvent event);

  /**
   * Some events are not told, since too many waited, or since the store was opened again and nobody
   * knows whether they happened.
   *
   * @param count how many there were between the last one that was told and the next
   */
  default void missed(long count) {}
}
