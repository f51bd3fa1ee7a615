package io.millrace.internal.commit;

import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.StoreFailedException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginning of an outage, when everybody who waits is told. Belongs to the loop's thread.
 *
 * <p>Want of memory may be the cause. So callers are answered without any: the answers are links
 * that exist already, and exceptions that cannot be created are replaced by ones made earlier.
 * Telling health and listeners does need memory, and is tried again until it succeeds.
 */
final class Poisoning {

  private static final Logger LOG = LoggerFactory.getLogger(Poisoning.class);

  private final Outage outage;
  private final EngineCondition condition;
  private final WorkingSet state;
  private final PendingAnswers pending;
  private final AnswerThread answerThread;

  /** The group under way. Parked claims that it has an answer for are on no other list. */
  private @Nullable Group group;

  /** The cause of an outage that health and listeners are still to be told; null for none. */
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

  /** Sets the group that is under way. */
  void begun(Group underWay) {
    group = underWay;
  }

  /** Forgets the group, for all that it has an answer for is on another list, or was told. */
  void settled() {
    group = null;
  }

  /**
   * Begins an outage: what is on disk is unknown from here on, or another owner's. Refuses
   * everybody who waits; nothing is changed any more. If this method throws it is to be called
   * again; nobody is told twice.
   *
   * @param batchNumber the number of the batch whose outcome is unknown
   * @param requests the requests that were taken up
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

  /** Ends the outage: nothing is left to be told of it. */
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

  /** Tells health and listeners of the outage, unless they know already. */
  void tell() {
    Throwable cause = untold;
    if (cause != null) {
      condition.outage(cause);
      untold = null;
    }
  }

  /** Refuses all requests that wait for a commit. */
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
