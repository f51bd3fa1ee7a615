package io.millrace.internal.read;

import io.millrace.api.VerifyReport;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import java.util.ArrayList;
import java.util.List;

/** What a verification has found so far; bounded. For one thread. */
final class Findings {

  private final List<VerifyReport.Problem> problems = new ArrayList<>();
  private final List<byte[]> corruptKeys = new ArrayList<>();
  private long problemCount;
  private long queueCount;
  private long jobCount;
  private long quarantinedCount;

  void problem(byte[] key, String finding) {
    problemCount++;
    if (problems.size() < VerifyReport.PROBLEM_COUNT_MAX) {
      problems.add(new VerifyReport.Problem(keyspaceName(key), Bytes.hex(key), finding));
    }
  }

  /** A row that cannot be decoded. */
  void corrupt(byte[] key, String finding) {
    problem(key, finding);
    if (corruptKeys.size() < VerifyReport.PROBLEM_COUNT_MAX) {
      corruptKeys.add(key);
    }
  }

  void queue() {
    queueCount++;
  }

  void jobs(long count) {
    jobCount += count;
  }

  void quarantined(long count) {
    quarantinedCount += count;
  }

  /** Keys of rows that cannot be decoded, at most as many as problems are listed. */
  List<byte[]> corruptKeys() {
    return corruptKeys;
  }

  VerifyReport report() {
    return new VerifyReport(queueCount, jobCount, problems, problemCount, quarantinedCount);
  }

  private static String keyspaceName(byte[] key) {
    boolean isKnown =
        key.length > 0 && key[0] >= Keyspace.META.code() && key[0] <= Keyspace.QUARANTINE.code();
    return isKnown ? Keyspace.ofKey(key).name() : "UNKNOWN";
  }
}
