package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.VerifyReport;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The findings of a verification so far; bounded. For one thread. */
final class Findings {

  private final List<VerifyReport.Problem> problems = new ArrayList<>();
  private final List<byte[]> corruptKeys = new ArrayList<>();
  private long problemCount;
  private long queueCount;
  private long jobCount;
  private long quarantinedCount;
  private boolean hasEngineKeys;
  private boolean hasTallies;

  void problem(byte[] key, String finding) {
    problemCount++;
    if (problems.size() < VerifyReport.PROBLEM_COUNT_MAX) {
      problems.add(new VerifyReport.Problem(keyspaceName(key), Bytes.hex(key), finding));
    }
  }

  long problemCount() {
    return problemCount;
  }

  /** Adds a problem that lies beneath the rows. */
  void flaw(String finding) {
    problemCount++;
    problems.add(new VerifyReport.Problem(VerifyReport.STORE, "", finding));
  }

  /**
   * Returns the row's record. If key or record are not as the format says, adds a problem and
   * returns null.
   */
  <T> @Nullable T decode(Row row, ViewRows.Decoder<T> decoder) {
    try {
      RowCheck.check(row.key());
      return decoder.decode(row.key(), row.value());
    } catch (CorruptDataException e) {
      corrupt(row.key(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Tells whether key and record are as the format says; adds a problem if not. */
  boolean isSound(Row row) {
    String flaw = RowCheck.flaw(row.key(), row.value());
    if (flaw != null) {
      corrupt(row.key(), flaw);
    }
    return flaw == null;
  }

  private void corrupt(byte[] key, String finding) {
    problem(key, finding);
    missing(key);
  }

  /** Notes the key of a row that is missing or corrupt, and that nothing else will report. */
  void missing(byte[] key) {
    if (corruptKeys.size() < VerifyReport.PROBLEM_COUNT_MAX) {
      corruptKeys.add(key);
    }
  }

  /** Notes that a job has a concurrency key of the engine. */
  void noteEngineKey() {
    hasEngineKeys = true;
  }

  boolean hasEngineKeys() {
    return hasEngineKeys;
  }

  /** Notes that a job names a tally, which counts it or for which it waits. */
  void noteTally() {
    hasTallies = true;
  }

  boolean hasTallies() {
    return hasTallies;
  }

  void addQueue() {
    queueCount++;
  }

  void addJob() {
    jobCount++;
  }

  void addQuarantined(long count) {
    quarantinedCount += count;
  }

  /**
   * Returns the keys of rows that cannot be decoded or are missing, at most as many as problems are
   * listed.
   */
  List<byte[]> corruptKeys() {
    return corruptKeys;
  }

  VerifyReport report() {
    return new VerifyReport(queueCount, jobCount, problems, problemCount, quarantinedCount);
  }

  private static String keyspaceName(byte[] key) {
    Keyspace keyspace = Keyspace.find(key);
    return keyspace == null ? "UNKNOWN" : keyspace.name();
  }
}
