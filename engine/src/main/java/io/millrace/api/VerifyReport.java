package io.millrace.api;

import java.util.List;

/**
 * What {@link JobReader#verify()} found.
 *
 * @param queueCount how many queues were read
 * @param jobCount how many jobs were read
 * @param problems what does not agree, at most {@value #PROBLEM_COUNT_MAX} of them
 * @param problemCount how many there are in all
 * @param quarantinedCount rows that were set aside earlier because they were corrupt
 */
public record VerifyReport(
    long queueCount,
    long jobCount,
    List<Problem> problems,
    long problemCount,
    long quarantinedCount) {

  /** How many problems a report lists. */
  public static final int PROBLEM_COUNT_MAX = 1_000;

  /** In place of a keyspace: the problem is not a row but the store's files beneath them. */
  public static final String STORE = "STORE";

  /**
   * A row that does not agree with the others; or a place in the store's own files that is damaged,
   * and then the rows were not looked at.
   *
   * @param keyspace the kind of row, or {@link #STORE}
   * @param key its key in hexadecimal; empty if it is not a row
   * @param finding what is wrong with it
   */
  public record Problem(String keyspace, String key, String finding) {}

  public VerifyReport {
    problems = List.copyOf(problems);
  }

  /** Whether everything agrees and nothing was set aside. */
  public boolean isClean() {
    return problemCount == 0 && quarantinedCount == 0;
  }
}
