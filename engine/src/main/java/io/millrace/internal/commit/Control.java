package io.millrace.internal.commit;

import java.util.concurrent.CompletableFuture;

/**
 * Something that the loop's thread does between two groups: reopening the store, forgetting a
 * claim.
 */
final class Control extends Submission {

  private final Runnable action;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  Control(Runnable action) {
    this.action = action;
  }

  /** Completed when the action has returned or thrown. */
  CompletableFuture<Void> done() {
    return done;
  }

  void run() {
    try {
      action.run();
      done.complete(null);
    } catch (Throwable e) {
      done.completeExceptionally(e);
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
