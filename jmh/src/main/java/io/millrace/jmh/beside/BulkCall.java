package io.millrace.jmh.beside;

/**
 * A call that does as much as one may.
 *
 * @param name what {@code --rows} matches
 * @param nature whether the engine may divide it
 * @param preparation what it needs
 */
public record BulkCall(String name, Nature nature, Preparation preparation) {

  /** What others may have to wait for. */
  public enum Nature {
    /** It may be done in steps: others wait for a step. */
    DIVISIBLE,
    /** All of it is one commit, or nothing: others wait for that. */
    ONE_COMMIT
  }

  /** Makes ready what the call needs. Nobody is measured meanwhile. */
  @FunctionalInterface
  interface Preparation {

    /**
     * Prepares one call.
     *
     * @param at where there is nothing yet
     * @return the call; when it returns all that follows from it is done
     */
    Runnable prepare(BulkPlace at);
  }
}
