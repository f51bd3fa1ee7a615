package io.millrace.internal.commit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits for the loop that an interrupt does not end, for where giving up is not possible. */
final class Uninterruptibles {

  private Uninterruptibles() {}

  /**
   * Waits, also if interrupted; throws what the future failed of, and keeps the interrupt status.
   */
  static void join(CompletableFuture<Void> future) {
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          future.get();
          return;
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new CompletionException(e.getCause());
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
