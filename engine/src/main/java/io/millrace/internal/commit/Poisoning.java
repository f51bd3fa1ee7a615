package io.millrace.internal.commit;

import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.StoreFailedException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginning of an outage: everybody who waits is told. Belongs to the loop's thread.
 *
 * <p>Want of memory may be what began it. So callers are answered without any: the answers are
 * links that are there already, and what they are told is made ready if it cannot be made. What
 * does need memory, that health and listeners know of it, is tried again until it succeeds.
 */
final class Poisoning {

  private static final Logger LOG = LoggerFactory.getLogger(Poisoning.class);

  private final Outage outage;
  private final EngineCondition condition;
  private final WorkingSet state;
  private final PendingAnswers pending;
  private final AnswerThread answerThread;

  /** The group under way: parked claims that it has an answer for are on no other list. */
  private @Nullable Group group;

  /** What health and listeners are yet to be told of. */
  private @Nullable Throwable untold;

  Poisoning(
      Outage outage,
      EngineCondition condition,
      WorkingSet state,
      PendingAnswers pending,
      AnswerThread answerThread) {
    this.outage = outage;
    this.condition = condition;
    this.state = state;
    this.pending = pending;
    this.answerThread = answerThread;
  }

  /** A group is under way. */
  void begun(Group underWay) {
    group = underWay;
  }

  /** All that the group has an answer for is on another list, or was told. */
  void settled() {
    group = null;
  }

  /**
   * What is on disk is unknown from here on, or another's: everybody who waits is told, and nothing
   * is changed any more. If it fails itself it is to be called again: nobody is told twice.
   *
   * @param batchNumber of the batch whose outcome is unknown
   * @param requests that were taken up
   */
  void begin(Throwable cause, long batchNumber, List<Request<?>> requests) {
    if (outage.begin(cause, batchNumber)) {
      untold = cause;
      log(cause);
    }
    // First: whoever is told may ask for it.
    tryToTell();
    pending.failAll(outage.ofWritten(cause));
    refuseGroup(outage.ofGroup(cause), requests);
    Parked.refuseAll(state, outage.refusalOf(cause), answerThread);
  }

  /** The outage is over: there is nothing left to be told of it. */
  void over() {
    untold = null;
  }

  private static void log(Throwable cause) {
    if (cause instanceof StoreFailedException failed && failed.isStaged()) {
      LOG.debug("engine is poisoned by a test", cause);
      return;
    }
    boolean isLogged =
        Answer.log(
            Outage.isFenced(cause)
                ? "engine lost its store to another owner and takes no changes until it is reopened"
                : "engine is poisoned: what is stored is unknown until it is reopened",
            cause);
    if (!isLogged) {
      LastWords.POISONED.say();
    }
  }

  private void tryToTell() {
    try {
      tell();
    } catch (Throwable e) {
      // Nobody is to wait for an answer until this succeeds.
      return;
    }
  }

  /** Lets health and listeners know, if they do not yet. */
  void tell() {
    Throwable cause = untold;
    if (cause != null) {
      condition.outage(cause);
      untold = null;
    }
  }

  /** Tells this to all who wait for a commit. */
  void refuseAll(RuntimeException why, List<Request<?>> requests) {
    pending.failAll(why);
    refuseGroup(why, requests);
  }

  private void refuseGroup(RuntimeException why, List<Request<?>> requests) {
    Group underWay = group;
    if (underWay != null) {
      refuse(why, underWay.resolved());
    }
    refuse(why, requests);
  }

  private void refuse(RuntimeException why, List<Request<?>> requests) {
    for (int i = 0; i < requests.size(); i++) {
      requests.get(i).refuse(why, answerThread);
    }
  }
}
