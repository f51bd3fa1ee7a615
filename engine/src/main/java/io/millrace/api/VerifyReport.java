package io.millrace.api;

import java.util.List;

/**
 * The findings of {@link JobReader#verify()}.
 *
 * @param queueCount the number of queues that were read
 * @param jobCount the number of jobs that were read
 * @param problems the problems that were found, at most {@value #PROBLEM_COUNT_MAX} of them
 * @param problemCount the number of all problems that were found
 * @param quarantinedCount the number of rows that were set aside earlier because they were corrupt
 */
public record VerifyReport(
    long queueCount,
    long jobCount,
    List<Problem> problems,
    long problemCount,
    long quarantinedCount) {

  /** The most problems that a report lists. */
  public static final int PROBLEM_COUNT_MAX = 1_000;

  /** The text in place of a keyspace if the problem is not a row but the store's own files. */
  public static final String STORE = "STORE";

  /**
   * A row that does not agree with the others, or a damaged place in the store's own files. In the
   * latter case the rows were not looked at.
   *
   * @param keyspace the kind of row, or {@link #STORE}
   * @param key the row's key in hexadecimal; empty if the problem is not a row
   * @param finding a description of the problem
   */
  public record Problem(String keyspace, String key, String finding) {}

  public VerifyReport {
    problems = List.copyOf(problems);
  }

  /** Tells whether everything agrees and nothing was set aside. */
  public boolean isClean() {
    return problemCount == 0 && quarantinedCount == 0;
  }
}
