package io.millrace.workflow;

import java.util.Objects;

/**
 * A step failed for good: it is not tried again. The step's work throws this exception. It is kept,
 * and thrown to the workflow now and whenever it comes by again, with the same message. So the
 * workflow may catch it, and undo what it has done. A workflow that throws it, or lets it pass,
 * ends as a dead letter.
 */
public final class StepFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String reason;

  public StepFailedException(String reason) {
    super(Objects.requireNonNull(reason, "reason"));
    this.reason = reason;
  }

  /** Creates a failure with a cause, which is not kept. */
  public StepFailedException(String reason, Throwable cause) {
    super(Objects.requireNonNull(reason, "reason"), cause);
    this.reason = reason;
  }

  /** Returns the reason, which is what is kept of the failure. */
  public String reason() {
    return reason;
  }
}
