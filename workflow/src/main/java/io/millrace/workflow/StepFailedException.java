package io.millrace.workflow;

import java.util.Objects;

/**
 * A step failed for good: it is not tried again. The step's work throws it; that is kept, and
 * thrown to the workflow now and whenever it comes by again, with the same message. So the workflow
 * may catch it, and undo what it has done. A workflow that throws it, or lets it pass, ends as a
 * dead letter.
 */
public final class StepFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String reason;

  public StepFailedException(String reason) {
    super(Objects.requireNonNull(reason, "reason"));
    this.reason = reason;
  }

  /** As the other, with what is not kept. */
  public StepFailedException(String reason, Throwable cause) {
    super(Objects.requireNonNull(reason, "reason"), cause);
    this.reason = reason;
  }

  /** What is kept of it. */
  public String reason() {
    return reason;
  }
}
