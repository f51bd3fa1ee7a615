package io.millrace.spi;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a write or sync failed with an unknown outcome. Close the store, open it again, and
 * look at what is there.
 */
public final class StoreFailedException extends StoreException {

  private static final long serialVersionUID = 1L;

  private final boolean isStaged;

  public StoreFailedException(String message) {
    this(message, null);
  }

  public StoreFailedException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private StoreFailedException(String message, @Nullable Throwable cause, boolean isStaged) {
    super(message, cause);
    this.isStaged = isStaged;
  }

  /**
   * Creates a failure that a test provokes: it is acted upon as any other, but is no error in the
   * log.
   */
  public static StoreFailedException staged(String message) {
    return new StoreFailedException(message, null, true);
  }

  /** Tells whether a test provoked the failure. */
  public boolean isStaged() {
    return isStaged;
  }

  /**
   * Creates the failure of a store in a folder that does not know any more which batches are
   * durable.
   */
  public static StoreFailedException unknown(String action, Path folder, Throwable thrown) {
    return new StoreFailedException(
        action
            + " failed and what is durable is unknown, close the store and open it again: folder="
            + folder
            + ", reason="
            + thrown.getMessage(),
        thrown);
  }
}
