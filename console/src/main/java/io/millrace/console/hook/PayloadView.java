package io.millrace.console.hook;

import io.millrace.api.Job;

/**
 * An application's own way to show payloads, results, kept states and headers: to mask what nobody
 * should read, or to decode what is not text. Called by many threads at a time. Rows of users'
 * tables and payloads of other stores do not pass through it.
 */
@FunctionalInterface
public interface PayloadView {

  /** The parts of a job that carry its user's data. */
  enum Part {
    PAYLOAD,
    HEADERS,
    CHECKPOINT,
    RESULT
  }

  /**
   * Returns the text to show. If it throws, the part is not shown, and the reason is.
   *
   * @param job the job
   * @param part the part of it
   * @param text the part as the console would show it: indented JSON, other text as it is, or bytes
   *     in hexadecimal
   */
  String shown(Job job, Part part, String text);
}
