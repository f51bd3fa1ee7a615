package io.millrace.jmh.load;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Ways to wait for other threads of the load tool. */
public final class Waiting {

  private Waiting() {}

  /**
   * Returns the future's result. An unchecked exception or error that it failed with is thrown as
   * it was.
   */
  public static <T> T on(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    }
  }

  static RuntimeException unchecked(@Nullable Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException(thrown);
  }
}
