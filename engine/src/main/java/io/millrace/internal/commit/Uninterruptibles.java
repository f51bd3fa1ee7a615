package io.millrace.internal.commit;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Waits for the loop that an interrupt does not end, for where giving up is not possible. */
final class Uninterruptibles {

  private Uninterruptibles() {}

  /** Waits, also if interrupted; keeps the interrupt status. */
  static void await(CountDownLatch latch) {
    boolean wasInterrupted = false;
    try {
      while (latch.getCount() > 0) {
        try {
          latch.await();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws what the loop failed of, if anything. */
  static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException cause) {
      throw cause;
    }
    if (failure instanceof Error cause) {
      throw cause;
    }
    if (failure != null) {
      throw new CompletionException(failure);
    }
  }
}
