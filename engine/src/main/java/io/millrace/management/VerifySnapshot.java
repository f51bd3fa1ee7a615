package io.millrace.management;

import java.util.List;

/** What a verification found. */
public interface VerifySnapshot {

  long getQueueCount();

  long getJobCount();

  long getProblemCount();

  /** Corrupt rows that were set aside at any time. */
  long getQuarantinedCount();

  /** The first of the problems. */
  List<ProblemSnapshot> getProblems();
}
