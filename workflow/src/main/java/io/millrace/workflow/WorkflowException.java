package io.millrace.workflow;

import io.millrace.MillraceException;

/**
 * A workflow cannot go on, and trying again is in vain until its program is mended: its job is a
 * dead letter at once. All that it had kept stays, so that a job that is redriven then goes on
 * where it was.
 */
public class WorkflowException extends MillraceException {

  private static final long serialVersionUID = 1L;

  WorkflowException(String message) {
    super(message);
  }
}
