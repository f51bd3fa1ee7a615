package io.millrace.api;

import io.millrace.options.Checks;
import java.util.Objects;

/**
 * A job to enqueue, one of many in a call.
 *
 * @param payload at most {@value Limits#PAYLOAD_BYTES_MAX} bytes; copied when the job is enqueued
 * @param options the options of the job
 */
public record NewJob(byte[] payload, EnqueueOptions options) {

  /**
   * Creates a job.
   *
   * @throws IllegalArgumentException the payload is longer
   */
  public NewJob {
    Checks.bytes("payload", payload, Limits.PAYLOAD_BYTES_MAX);
    Objects.requireNonNull(options, "options");
  }

  /**
   * Returns a job with the default options.
   *
   * @throws IllegalArgumentException the payload is longer than {@value Limits#PAYLOAD_BYTES_MAX}
   *     bytes
   */
  public static NewJob of(byte[] payload) {
    return new NewJob(payload, EnqueueOptions.DEFAULT);
  }

  /**
   * Returns the length of the payload, header names and header values, the headers in UTF-8. It
   * counts towards {@link Limits#CALL_BYTES_MAX}.
   */
  public int contentBytes() {
    return payload.length + options.headerBytes();
  }
}
