package io.millrace.api;

import java.util.Arrays;
import java.util.Objects;

/**
 * The result of a job of a batch that {@linkplain Batch#keepResults keeps results}.
 *
 * @param jobId the job's id
 * @param result what the job was completed with; the caller's own copy, which may be changed
 */
public record JobOutput(JobId jobId, byte[] result) {

  public JobOutput {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(result, "result");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JobOutput that
        && jobId.equals(that.jobId)
        && Arrays.equals(result, that.result);
  }

  @Override
  public int hashCode() {
    return 31 * jobId.hashCode() + Arrays.hashCode(result);
  }

  @Override
  public String toString() {
    return "JobOutput[jobId=" + jobId + ", result=" + result.length + " bytes]";
  }
}
