package io.millrace.internal.commit;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that the loop's thread does between two groups: reopening the store, forgetting a
 * claim.
 */
final class LoopAction extends RingEntry {

  private final Runnable action;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private @Nullable Throwable failure;

  LoopAction(Runnable action) {
    this.action = action;
  }

  /** Completed by {@link #tell} when the action has returned or thrown. */
  CompletableFuture<Void> done() {
    return done;
  }

  void run() {
    try {
      action.run();
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** Tells whoever waits how the action ended; may be called again if this throws. */
  void tell() {
    if (failure == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(failure);
    }
  }

  @Override
  long bytes() {
    return 0;
  }

  @Override
  void refuse(RuntimeException why, AnswerThread answerThread) {
    done.completeExceptionally(why);
  }
}
