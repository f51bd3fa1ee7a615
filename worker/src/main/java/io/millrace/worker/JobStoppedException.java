package io.millrace.worker;

import io.millrace.MillraceException;

/** The work on a job is to be given up. A handler lets it pass. */
public final class JobStoppedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  JobStoppedException(String message) {
    super(message);
  }
}
