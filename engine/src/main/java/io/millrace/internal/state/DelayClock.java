package io.millrace.internal.state;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The clocks on which delayed jobs wait. */
public enum DelayClock {
  /** Engine time, which follows the wall clock: for jobs that were given an instant. */
  ENGINE,

  /**
   * Steady time, which does not follow the wall clock: for jobs that were given a length of time.
   */
  STEADY;

  public static final Set<DelayClock> BOTH =
      Collections.unmodifiableSet(EnumSet.allOf(DelayClock.class));
}
