package io.millrace.jmh.beside;

/**
 * A call that does as much as one call may.
 *
 * @param name the name that {@code --rows} matches
 * @param nature whether the engine may divide the call
 * @param preparation the work to be done before the call
 */
public record BulkCall(String name, Nature nature, Preparation preparation) {

  /** Nature of a call: what others may have to wait for. */
  public enum Nature {
    /** A call that may be done in steps: others wait for a step. */
    DIVISIBLE,
    /** A call that is one commit, all of it or nothing: others wait for that. */
    ONE_COMMIT
  }

  /** Preparation of a call. Nobody is measured meanwhile. */
  @FunctionalInterface
  interface Preparation {

    /**
     * Prepares one call.
     *
     * @param at a place where there is nothing yet
     * @return the call; when it returns all that follows from it is done
     */
    Runnable prepare(BulkPlace at);
  }
}
