package io.millrace.internal.transition.lease;

import org.jspecify.annotations.Nullable;

/** Whose job is next for a claim. */
interface Choice {

  /** The first that fits; null if there is none, or it is not known yet. */
  ReadyScan.@Nullable Candidate takeFirst(int freeWeight);

  /** The one that was chosen last was granted. */
  void granted(ReadyScan.Candidate candidate);

  /** Whether the first is not known yet, and it takes another batch to find it. */
  boolean isUnfinished();
}
