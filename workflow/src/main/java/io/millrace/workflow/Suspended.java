package io.millrace.workflow;

/**
 * Ends the run of a workflow whose job sleeps or waits. It is an error, so that no code that
 * catches exceptions stops it on its way to {@link FlowRun}.
 */
final class Suspended extends Error {

  private static final long serialVersionUID = 1L;

  Suspended(String message) {
    super(message, null, false, false);
  }
}
