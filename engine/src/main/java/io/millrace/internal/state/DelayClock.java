package io.millrace.internal.state;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The clocks that delayed jobs wait on. */
public enum DelayClock {
  /** Engine time, which follows the wall clock: of jobs that were given an instant. */
  ENGINE,

  /** Steady time, which does not: of jobs that were given a length of time. */
  STEADY;

  public static final Set<DelayClock> BOTH =
      Collections.unmodifiableSet(EnumSet.allOf(DelayClock.class));
}
