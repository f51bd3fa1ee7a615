package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * An entry of what a workflow has kept: a step, a sleep or a wait on its way.
 *
 * @param name the name of the step, the sleep or the signal
 * @param content its result, payload, time or error; nobody may change the bytes
 */
record Entry(Kind kind, String name, byte[] content) {

  /** The kind of an entry. The codes are on disk, never change. */
  enum Kind {
    /** The step is done; the content is its result. */
    DONE(1, "step"),
    /** The step failed for good; the content is the reason. */
    FAILED(2, "step"),
    /** The workflow sleeps; the content is the end in epoch milliseconds. */
    SLEEP(3, "sleep"),
    /**
     * The workflow waits for the signal; the content is the deadline in epoch milliseconds, 0 for
     * none.
     */
    AWAITS(4, "await"),
    /** The signal came; the content is its payload. */
    SIGNALLED(5, "await"),
    /** The deadline passed before the signal came. */
    TIMED_OUT(6, "await"),
    /** The step is done, and answered null. */
    NULL(7, "step"),
    /**
     * The step is not done; the content is how often it was tried in vain, and the last error.
     * Always the last entry.
     */
    TRIED(8, "step"),
    /**
     * The jobs of the step are under way; the content is the id of their batch, 8 bytes, and that
     * of the last job, 16 bytes.
     */
    ALL_STARTED(9, "all"),
    /** The jobs of the step are done; the content is their results. */
    ALL(10, "all"),
    /** The step failed for good, for not all of its jobs succeeded; the content is the reason. */
    ALL_FAILED(11, "all");

    private final int code;
    private final String call;

    Kind(int code, String call) {
      this.code = code;
      this.call = call;
    }

    int code() {
      return code;
    }

    /** Returns the name of the method of {@link Steps} that makes such an entry. */
    String call() {
      return call;
    }

    static Optional<Kind> of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }

  /** Returns the entry as people see it. */
  String shown() {
    return shown(kind.call, name);
  }

  static String shown(String call, String name) {
    return call + " \"" + name + "\"";
  }

  String text() {
    return new String(content, UTF_8);
  }
}
