package io.millrace.cli.place;

import io.millrace.api.EngineMetrics;
import java.util.OptionalLong;

/** A store that an engine elsewhere has open, and that is asked through it. */
public interface LiveTarget extends Target {

  /** Returns the figures of what the engine does and holds. */
  EngineMetrics metrics();

  /** Returns the process that has the engine; empty if it may be on another host. */
  OptionalLong process();
}
