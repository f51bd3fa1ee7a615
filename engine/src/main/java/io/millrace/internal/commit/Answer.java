package io.millrace.internal.commit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that somebody is to be told on the {@link AnswerThread}: a link of its line, made
 * before, so that no memory is needed to hand it over.
 */
abstract class Answer implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

  /** The one that was handed over before this; for the thread that gives them. */
  @Nullable Answer before;

  private boolean isGiven;

  /** Tells it. Runs code of users: whatever it throws, others are told theirs. */
  abstract void give();

  /** Tells it once, also if an executor that refused it runs it all the same. */
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
