package io.millrace.internal.transition.lease;

import org.jspecify.annotations.Nullable;

/** The order in which a claim takes jobs. */
interface ServingOrder {

  /** Returns the first job that fits; null if there is none, or it is not known yet. */
  ReadyScan.@Nullable Candidate takeFirst(int freeWeight);

  /** Notes that the job which was chosen last was granted. */
  void granted(ReadyScan.Candidate candidate);

  /** Tells whether the first job is not known yet, and it takes another batch to find it. */
  boolean isUnfinished();
}
