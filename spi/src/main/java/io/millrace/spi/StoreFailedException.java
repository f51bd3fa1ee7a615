package io.millrace.spi;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A write or sync failed with an unknown outcome. Close the store, open it again, and look at what
 * is there.
 */
public final class StoreFailedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreFailedException(String message) {
    super(message);
  }

  public StoreFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What a store in a folder says when it cannot know any more what of it is durable. */
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
