package io.millrace.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an engine is. */
public interface HealthSnapshot {

  /** UP, FULL, POISONED, NOT_OWNER or CLOSED. */
  String getStatus();

  /** Epoch ms. */
  long getSinceMs();

  /** Empty while it is up. */
  String getReason();

  /** How far the engine is ahead of the wall clock. */
  long getClockDivergenceMs();

  /** The newest failure, also if it is over. */
  @Nullable String getLastError();

  /** Epoch ms. */
  @Nullable Long getLastErrorAtMs();

  /** What an operator should look at though the engine goes on; empty when it is over. */
  List<String> getWarnings();
}
