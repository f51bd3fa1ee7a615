package io.millrace.worker.management;

/** How a worker has stopped. */
public interface StopSnapshot {

  /** How many jobs ended by themselves after it was told to stop. */
  int getFinished();

  /** How many were interrupted when the grace was over. */
  int getInterrupted();

  /** How many were handed back, uncounted. */
  int getReleased();
}
