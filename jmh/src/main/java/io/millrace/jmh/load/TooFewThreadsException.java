package io.millrace.jmh.load;

/**
 * A failure to measure anything, for the system did not start as many threads as there are callers.
 */
public final class TooFewThreadsException extends RuntimeException {

  private static final long serialVersionUID = 1;

  TooFewThreadsException(int wanted, int started, Throwable cause) {
    super(
        "the system does not start that many threads: wanted=%d, started=%d"
            .formatted(wanted, started),
        cause);
  }
}
