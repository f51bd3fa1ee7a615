package io.millrace.internal.transition;

/**
 * The refusal of a transition that finds no room left in the batch for the least that it could do:
 * it is for the next batch. It is nobody's mistake, so it carries no stack trace.
 */
public final class OutOfRoomException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public OutOfRoomException() {
    super("the batch has no room left", null, false, false);
  }
}
