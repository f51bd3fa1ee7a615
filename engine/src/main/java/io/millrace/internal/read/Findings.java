package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.VerifyReport;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a verification has found so far; bounded. For one thread. */
final class Findings {

  private final List<VerifyReport.Problem> problems = new ArrayList<>();
  private final List<byte[]> corruptKeys = new ArrayList<>();
  private long problemCount;
  private long queueCount;
  private long jobCount;
  private long quarantinedCount;
  private boolean hasEngineKeys;

  void problem(byte[] key, String finding) {
    problemCount++;
    if (problems.size() < VerifyReport.PROBLEM_COUNT_MAX) {
      problems.add(new VerifyReport.Problem(keyspaceName(key), Bytes.hex(key), finding));
    }
  }

  /** Something that is wrong beneath the rows. */
  void flaw(String finding) {
    problemCount++;
    problems.add(new VerifyReport.Problem(VerifyReport.STORE, "", finding));
  }

  /** The row's record, or null, and a problem, if key or record are not as the format says. */
  <T> @Nullable T decode(Row row, ViewRows.Decoder<T> decoder) {
    try {
      Keyspace.ofKey(row.key()).check(row.key());
      return decoder.decode(row.key(), row.value());
    } catch (CorruptDataException e) {
      corrupt(row.key(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Whether key and record are as the format says; a problem if not. */
  boolean isSound(Row row) {
    String flaw = Keyspace.flaw(row.key(), row.value());
    if (flaw != null) {
      corrupt(row.key(), flaw);
    }
    return flaw == null;
  }

  private void corrupt(byte[] key, String finding) {
    problem(key, finding);
    missing(key);
  }

  /** A row that is missed, and that nothing else will report. */
  void missing(byte[] key) {
    if (corruptKeys.size() < VerifyReport.PROBLEM_COUNT_MAX) {
      corruptKeys.add(key);
    }
  }

  /** A job has a concurrency key of the engine. */
  void noteEngineKey() {
    hasEngineKeys = true;
  }

  boolean hasEngineKeys() {
    return hasEngineKeys;
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

  /** Keys of rows that cannot be decoded or are missing, at most as many as problems are listed. */
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
