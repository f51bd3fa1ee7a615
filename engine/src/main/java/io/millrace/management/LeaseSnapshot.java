package io.millrace.management;

/** Who works on a job. */
public interface LeaseSnapshot {

  long getToken();

  String getWorker();

  /** Epoch ms. */
  long getStartedAtMs();

  /** Whether somebody asked for the job to be cancelled. */
  boolean isCancelRequested();
}
