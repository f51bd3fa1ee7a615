package io.millrace.api;

import java.util.Objects;

/**
 * A job to be enqueued, one of many in a call.
 *
 * @param payload at most {@value Limits#PAYLOAD_BYTES_MAX} bytes; not to be changed until the call
 *     has answered, or its future is completed, and never after an {@link OutcomeUnknownException}:
 *     the job may still be enqueued with what is in it then
 * @param options how it is to be kept and served
 */
public record NewJob(byte[] payload, EnqueueOptions options) {

  public NewJob {
    Limits.payload(payload);
    Objects.requireNonNull(options, "options");
  }

  /** A job with the default options. */
  public static NewJob of(byte[] payload) {
    return new NewJob(payload, EnqueueOptions.DEFAULT);
  }

  /**
   * Length of payload, header names and header values, headers in UTF-8: what counts towards {@link
   * Limits#CALL_BYTES_MAX}.
   */
  public int contentBytes() {
    return payload.length + options.headerBytes();
  }
}
