package io.millrace.internal.commit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that the {@link AnswerThread} is to give. It is itself a link of that thread's line and
 * is made in good time, so that handing it over needs no memory.
 *
 * <p>It is given once. If that fails, whoever waits for it is told so, however often it has to be
 * tried: what fails for want of memory may succeed a moment later.
 */
abstract class Answer implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

  /** The one that was handed over before this; for the thread that gives them. */
  @Nullable Answer before;

  /** The next of those that an executor was given; for that thread. */
  @Nullable Answer nextLent;

  /** Whether it was with the executor at that thread's last look; for that thread. */
  boolean isLentForLong;

  private @Nullable Giver giver;
  private volatile boolean isBegun;
  private @Nullable Throwable thrown;

  /** Gives it. This runs code of users; what that throws keeps no other answer back. */
  abstract void give();

  /** Giving it has failed: ends the waiting in another way. Asked again if this throws, too. */
  abstract void failed(Throwable cause);

  /** Who gives answers. */
  interface Giver {

    /** It failed, and telling that did, too: that is to be tried again. */
    void takeBack(Answer answer);
  }

  /** Who gives it. */
  void join(Giver who) {
    giver = who;
  }

  /** Whether somebody gives it, or has. */
  boolean isBegun() {
    return isBegun;
  }

  /** Whether it failed, and whoever waits is yet to be told so. */
  boolean hasFailed() {
    return thrown != null;
  }

  /** Gives it once, also if an executor that refused it runs it all the same. */
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
      log("code that takes an answer failed", e);
      Giver again = giver;
      if (!isFailureTold() && again != null) {
        again.takeBack(this);
      }
    }
  }

  /** Tells whoever waits that it failed; answers whether that has succeeded. */
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

  /** Logs it, if that can be; answers whether it could. */
  static boolean log(String message, Throwable thrown) {
    try {
      LOG.error(message, thrown);
      return true;
    } catch (Throwable e) {
      return false;
    }
  }
}
