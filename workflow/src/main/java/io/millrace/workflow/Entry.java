package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * What a workflow has kept of one place on its way.
 *
 * @param name of the step, the sleep or the signal
 * @param content what it answered; nobody may change it
 */
record Entry(Kind kind, String name, byte[] content) {

  /** What is kept. The codes are on disk, never change. */
  enum Kind {
    /** The step is done; with its result. */
    DONE(1, "step"),
    /** The step failed for good; with the reason. */
    FAILED(2, "step"),
    /** It sleeps until then; with the end in milliseconds. */
    SLEEP(3, "sleep"),
    /** It waits for the signal; with the deadline in milliseconds, 0 for none. */
    AWAITS(4, "await"),
    /** The signal came; with its payload. */
    SIGNALLED(5, "await"),
    /** The deadline passed first. */
    TIMED_OUT(6, "await"),
    /** The step is done, and answered null. */
    NULL(7, "step"),
    /** The step is not done; with how often it was tried in vain, and the last error. The last. */
    TRIED(8, "step");

    private final int code;
    private final String call;

    Kind(int code, String call) {
      this.code = code;
      this.call = call;
    }

    int code() {
      return code;
    }

    /** The call of {@link Steps} that is kept so. */
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

  /** For people. */
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
