package io.millrace.workflow;

/**
 * The run of a workflow ends here, and its job sleeps or waits. An error, so that nobody who
 * catches exceptions stops it on its way to {@link FlowRun}.
 */
final class Suspended extends Error {

  private static final long serialVersionUID = 1L;

  Suspended(String message) {
    super(message, null, false, false);
  }
}
