package io.millrace.api;

/** A listener at work. Any thread. */
public interface JobListening extends AutoCloseable {

  /** How many events the listener was not told. */
  long missedCount();

  /**
   * Ends it: nothing more is told, nor what waits to be. Waits until the listener is back from what
   * it is being told, for some seconds at most; not on the listener's own thread. Idempotent.
   */
  @Override
  void close();
}
