package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** Engines whose broadcasts take many steps for few jobs: each commit leaves one under way. */
public final class SmallSteps {

  private static final int BROADCAST_STEP_MAX = 2;

  private SmallSteps() {}

  /** Opens a store as {@link JobEngine} does. */
  public static JobEngine open(StoreFactory factory, StoreOptions store, EngineOptions options) {
    return JobEngine.open(factory, store, options, BROADCAST_STEP_MAX);
  }
}
