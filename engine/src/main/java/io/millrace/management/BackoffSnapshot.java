package io.millrace.management;

import org.jspecify.annotations.Nullable;

/** How long a failed job waits; what its kind does not have is null. */
public interface BackoffSnapshot {

  /** Exponential, Linear or Custom. */
  String getKind();

  double getJitter();

  @Nullable Long getInitialMs();

  @Nullable Double getMultiplier();

  @Nullable Long getStepMs();

  @Nullable Long getMaxMs();

  /** Of a custom one. */
  long @Nullable [] getDelaysMs();
}
