package io.millrace.management;

import org.jspecify.annotations.Nullable;

/** A start of a job that counted and is over. */
public interface AttemptSnapshot {

  int getAttempt();

  /** Epoch ms. */
  long getStartedAtMs();

  /** Epoch ms. */
  long getEndedAtMs();

  String getWorker();

  /** What it failed of; null if it succeeded. */
  @Nullable String getError();
}
