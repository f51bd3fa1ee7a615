package io.millrace.engine.jmx;

import io.millrace.api.VerifyReport;
import io.millrace.management.ProblemSnapshot;
import io.millrace.management.VerifySnapshot;
import java.util.List;

/** What a verification found in the shape that JMX knows. */
record VerifyShown(VerifyReport report) implements VerifySnapshot {

  @Override
  public long getQueueCount() {
    return report.queueCount();
  }

  @Override
  public long getJobCount() {
    return report.jobCount();
  }

  @Override
  public long getProblemCount() {
    return report.problemCount();
  }

  @Override
  public long getQuarantinedCount() {
    return report.quarantinedCount();
  }

  @Override
  public List<ProblemSnapshot> getProblems() {
    return report.problems().stream().<ProblemSnapshot>map(ProblemShown::new).toList();
  }

  private record ProblemShown(VerifyReport.Problem problem) implements ProblemSnapshot {

    @Override
    public String getKeyspace() {
      return problem.keyspace();
    }

    @Override
    public String getKey() {
      return problem.key();
    }

    @Override
    public String getFinding() {
      return problem.finding();
    }
  }
}
