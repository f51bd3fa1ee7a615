package io.millrace.internal.commit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Something that the loop's thread does between two groups: reopening the store, forgetting a
 * claim. Telling whoever waits for it needs no memory.
 */
public final class LoopAction extends RingEntry {

  private final Runnable action;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Throwable failure;
  private boolean hasBegun;

  LoopAction(Runnable action) {
    this.action = action;
  }

  /** Does it, once, and tells whoever waits. */
  void run() {
    if (!hasBegun) {
      hasBegun = true;
      try {
        action.run();
      } catch (Throwable e) {
        failure = e;
      }
    }
    over.countDown();
  }

  /** Whether it was done, or never will be. */
  boolean isOver() {
    return over.getCount() == 0;
  }

  /** Waits until it was done, also if interrupted; throws what it failed of. */
  void join() {
    Uninterruptibles.await(over);
    Uninterruptibles.rethrow(failure);
  }

  /** Waits until it was done, for so long at most; answers whether it was, and did not fail. */
  public boolean isDoneWithin(long mostNs) throws InterruptedException {
    return over.await(mostNs, TimeUnit.NANOSECONDS) && failure == null;
  }

  @Override
  long bytes() {
    return 0;
  }

  @Override
  void refuse(RuntimeException why, AnswerThread answerThread) {
    if (!hasBegun) {
      hasBegun = true;
      failure = why;
    }
    over.countDown();
  }
}
