package io.millrace.api;

import io.millrace.options.Checks;
import java.util.Objects;

/**
 * A job to complete with a result, one of many in a call.
 *
 * @param lease the lease on the job
 * @param result at most {@value Limits#RESULT_BYTES_MAX} bytes; copied when the job is completed
 */
public record Completion(Lease lease, byte[] result) {

  /**
   * Creates a completion.
   *
   * @throws IllegalArgumentException the result is longer
   */
  public Completion {
    Objects.requireNonNull(lease, "lease");
    Checks.bytes("result", result, Limits.RESULT_BYTES_MAX);
  }
}
