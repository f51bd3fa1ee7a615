package io.millrace.internal.commit;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Waits for the loop that an interrupt does not end, for callers that cannot give up. */
final class Uninterruptibles {

  private Uninterruptibles() {}

  /** Waits until the latch is at zero, even if interrupted; keeps the interrupt status. */
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

  /** Throws the loop's failure, if there is one. */
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
