package io.millrace.worker.management;

import java.util.List;

/** A job that a worker runs. */
public interface RunningJobSnapshot {

  /** Its id, 32 hexadecimal digits. */
  String getJobId();

  String getQueue();

  /** Empty for the default tenant. */
  String getTenant();

  /** The name of its type. */
  String getType();

  /** Which counted start of the job this is; the first is 1. */
  int getAttempt();

  /** When its handler began, epoch ms. */
  long getSinceMs();

  /** As the handler told last, from 0 to 1; 0 if it told nothing. */
  double getProgress();

  /** As the handler told last; empty if it told nothing. */
  String getText();

  /** The name of the thread that its handler runs on. */
  String getThread();

  /** What the thread does, the innermost call first; empty unless that was asked for. */
  List<String> getStack();
}
