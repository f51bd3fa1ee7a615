package io.millrace.api;

/**
 * A listener that learns what happens to jobs, once that is durable.
 *
 * <p>Each listener has a thread of its own, on which it may wait and call anything. An exception
 * from a listener is logged, and the listener is told of later events. A listener that is slower
 * than the events misses some of them, because the engine waits for no listener.
 */
@FunctionalInterface
public interface JobListener {

  /**
   * Reports an event. Events of a queue come in the order of their commits.
   *
   * @throws RuntimeException it is logged, and the listener is told of later events
   */
  void happened(JobEvent event);

  /**
   * Reports that some events are not passed on, because too many waited, or because the store was
   * reopened and nobody knows whether they happened. A listener of a server's queues misses some,
   * too, if the server was replaced or could not be reached for a minute; how many, or whether any,
   * nobody knows then, and the count is 1.
   *
   * @param count the number of events missed between the last event reported and the next
   * @throws RuntimeException it is logged, and the listener is told of later events
   */
  default void missed(long count) {}
}
