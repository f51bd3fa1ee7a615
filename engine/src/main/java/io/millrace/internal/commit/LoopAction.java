package io.millrace.internal.commit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An action that the loop's thread runs between two groups, such as reopening the store or
 * forgetting a claim. Telling the waiting caller needs no memory.
 */
public final class LoopAction extends RingEntry {

  private final Runnable action;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Throwable failure;
  private boolean hasBegun;

  LoopAction(Runnable action) {
    this.action = action;
  }

  /** Runs the action, once, and tells the waiting caller. */
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

  /** Tells whether the action has run or never will. */
  boolean isOver() {
    return over.getCount() == 0;
  }

  /** Waits until the action has run, even if interrupted; rethrows its failure. */
  void join() {
    Uninterruptibles.await(over);
    Uninterruptibles.rethrow(failure);
  }

  /**
   * Waits, for at most the given time, until the action has run; returns whether it ran and
   * succeeded.
   */
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
