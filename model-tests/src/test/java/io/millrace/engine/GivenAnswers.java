package io.millrace.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a test wait until futures are completed whose answers the commit loop has told: what is not
 * done then was not answered, and is not just on its way.
 */
public final class GivenAnswers {

  private static final long WAIT_SECONDS_MAX = 60;

  private GivenAnswers() {}

  /** Waits for all answers told so far; the engine's executor must run what it is given at once. */
  public static void await(JobEngine engine) {
    CountDownLatch given = new CountDownLatch(1);
    engine.loop().onAnswerThread(given::countDown);
    try {
      if (!given.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new AssertionError("answers are not given");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("the test was interrupted", e);
    }
  }
}
