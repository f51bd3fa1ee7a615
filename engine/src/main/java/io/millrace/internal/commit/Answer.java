package io.millrace.internal.commit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that the {@link AnswerThread} is to give. It is itself a link of that thread's line and
 * is made in good time, so that handing it over needs no memory.
 */
abstract class Answer implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

  /** The one that was handed over before this; for the thread that gives them. */
  @Nullable Answer before;

  private boolean isGiven;

  /** Gives it. This runs code of users; what that throws keeps no other answer back. */
  abstract void give();

  /** Gives it once, also if an executor that refused it runs it all the same. */
  @Override
  public final void run() {
    synchronized (this) {
      if (isGiven) {
        return;
      }
      isGiven = true;
    }
    try {
      give();
    } catch (Throwable e) {
      log("code that takes an answer failed", e);
    }
  }

  /** Logging may fail, too: then there is nowhere left to say it. */
  static void log(String message, Throwable thrown) {
    try {
      LOG.error(message, thrown);
    } catch (Throwable e) {
      return;
    }
  }
}
