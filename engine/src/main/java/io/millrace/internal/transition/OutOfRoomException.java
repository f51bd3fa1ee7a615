package io.millrace.internal.transition;

/**
 * A transition finds no room left in the batch for the least that it could do: it is for the next
 * one. No mistake of anybody, so there is no trace of where.
 */
public final class OutOfRoomException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public OutOfRoomException() {
    super("the batch has no room left", null, false, false);
  }
}
