package io.millrace.model.rig;

import org.jspecify.annotations.Nullable;

/** Results that are dropped on purpose, for a test can do with whatever becomes of the call. */
public final class Dropped {

  private Dropped() {}

  /** Drops what a call answered. */
  public static void result(@Nullable Object result) {}
}
