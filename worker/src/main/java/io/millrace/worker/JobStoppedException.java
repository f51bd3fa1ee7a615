package io.millrace.worker;

import io.millrace.MillraceException;

/**
 * A sign that the work on a job is to be given up, thrown by {@link JobContext#checkAlive}. A
 * handler lets it pass.
 */
public final class JobStoppedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  JobStoppedException(String message) {
    super(message);
  }
}
