package io.millrace.api;

import java.util.Objects;

/**
 * A job that is finished with a result, one of many in a call.
 *
 * @param lease the lease on the job
 * @param result at most {@value Limits#RESULT_BYTES_MAX} bytes; not to be changed until the call
 *     has answered, or its future is completed, and never after an {@link OutcomeUnknownException}
 */
public record Completion(Lease lease, byte[] result) {

  public Completion {
    Objects.requireNonNull(lease, "lease");
    Limits.result(result);
  }
}
