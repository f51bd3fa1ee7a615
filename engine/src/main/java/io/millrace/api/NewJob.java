package io.millrace.api;

import java.util.Objects;

/**
 * A job to be enqueued, one of many in a call.
 *
 * @param payload at most {@value Limits#PAYLOAD_BYTES_MAX} bytes; copied when the job is enqueued
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
