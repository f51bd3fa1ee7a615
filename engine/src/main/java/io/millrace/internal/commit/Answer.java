package io.millrace.internal.commit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that the {@link AnswerThread} is to give. The object is itself a link of that thread's
 * line and is made early, so that handing it over needs no memory.
 *
 * <p>An answer is given once. If giving it fails, the waiting caller is told of the failure
 * instead. Telling is tried until it succeeds, for what fails for want of memory may succeed a
 * moment later.
 */
abstract class Answer implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

  /** The answer that was handed over before this one; only for the thread that gives answers. */
  @Nullable Answer before;

  /** The next of the answers that an executor was given; only for the thread that gives answers. */
  @Nullable Answer nextLent;

  /** True if the executor had this answer at that thread's last look; only for that thread. */
  boolean isLentForLong;

  private @Nullable Giver giver;
  private volatile boolean isBegun;
  private @Nullable Throwable thrown;

  /**
   * Gives the answer. This runs code of users; an exception of that code delays no other answer.
   */
  abstract void give();

  /** Ends the waiting in another way after giving has failed. Called again if this throws, too. */
  abstract void failed(Throwable cause);

  /** The thread or object that gives answers. */
  interface Giver {

    /** Takes back an answer that failed and whose failure could not be told, to tell it later. */
    void takeBack(Answer answer);
  }

  /** Sets the giver that takes this answer back if its failure cannot be told. */
  void join(Giver who) {
    giver = who;
  }

  /** Tells whether giving has begun; it may be over. */
  boolean isBegun() {
    return isBegun;
  }

  /** Tells whether giving has failed and the waiting caller has not been told so yet. */
  boolean hasFailed() {
    return thrown != null;
  }

  /** Gives the answer once, even if an executor that refused it runs it all the same. */
  @Override
  public final void run() {
    synchronized (this) {
      if (isBegun) {
        return;
      }
      isBegun = true;
    }
    try {
      give();
    } catch (Throwable e) {
      thrown = e;
      logFailure(e);
      Giver again = giver;
      if (!isFailureTold() && again != null) {
        again.takeBack(this);
      }
    }
  }

  /** Logs a failure, if possible: even naming a message for the first time takes memory. */
  private static void logFailure(Throwable thrown) {
    try {
      log("code that takes an answer failed", thrown);
    } catch (OutOfMemoryError e) {
      return;
    }
  }

  /**
   * Tells the waiting caller of a failure, if there was one; returns false if that must be
   * repeated.
   */
  boolean isFailureTold() {
    Throwable cause = thrown;
    if (cause != null) {
      try {
        failed(cause);
        thrown = null;
      } catch (Throwable e) {
        return false;
      }
    }
    return true;
  }

  /** Logs an error if possible; returns whether that succeeded. */
  static boolean log(String message, Throwable thrown) {
    try {
      LOG.error(message, thrown);
      return true;
    } catch (Throwable e) {
      return false;
    }
  }
}
