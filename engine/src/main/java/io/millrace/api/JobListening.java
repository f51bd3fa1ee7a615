package io.millrace.api;

/** A running registration of a job listener. Any thread may use it. */
public interface JobListening extends AutoCloseable {

  /** Returns the number of events that the listener has missed. */
  long missedCount();

  /**
   * Ends the registration: no more events are passed on, not even those that wait. Waits, some
   * seconds at most, until the listener has returned from its current call, unless the listener
   * itself makes this call on its own thread. Idempotent.
   */
  @Override
  void close();
}
