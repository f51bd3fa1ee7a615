package io.millrace.internal.commit;

import io.millrace.internal.state.LeaseTable;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handling of batches that were taken back for another reason than a full store. A batch is
 * made anew with less in it, until it can be made or one request is alone with its fault. Belongs
 * to the loop's thread.
 */
final class Setbacks {

  private static final Logger LOG = LoggerFactory.getLogger(Setbacks.class);
  private static final long REST_NS = 1_000_000_000L;

  private final LeaseTable leases;
  private final EngineTime time;
  private final EngineCondition condition;
  private final AnswerThread answerThread;

  /** True after a failure of work that nobody asked for, which is then left for a while. */
  private boolean isResting;

  private long restUntilNs;
  private boolean isForRowsAlone;

  Setbacks(
      LeaseTable leases, EngineTime time, EngineCondition condition, AnswerThread answerThread) {
    this.leases = leases;
    this.time = time;
    this.condition = condition;
    this.answerThread = answerThread;
  }

  /** Returns the nanoseconds for which work that nobody asked for is left; 0 if it is not. */
  long restNs() {
    isResting &= restUntilNs - time.nowNs() > 0;
    return isResting ? restUntilNs - time.nowNs() : 0;
  }

  /**
   * Tells whether the next batch holds nothing but rows of leases, so that a request can be alone
   * after it.
   */
  boolean isForRowsAlone() {
    return isForRowsAlone;
  }

  /** Notes that a batch was written. */
  void overcome() {
    isForRowsAlone = false;
  }

  /** Refuses a request that failed in the middle. */
  void refuse(Group.BrokenException broken, RestOfGroup rest) {
    LOG.error("a request failed in the middle and was taken back", broken.reason());
    condition.failed(broken.reason());
    broken.culprit().refuse(broken.reason(), answerThread);
    rest.dropFinished();
  }

  /**
   * Plans a smaller batch after one that cannot be made. A request that was alone in it is refused.
   *
   * @param due the due work, if it had a part in the batch
   */
  void setBack(RestOfGroup rest, Optional<Upkeep> due, RuntimeException reason) {
    if (due.isPresent() || rest.left().isEmpty()) {
      LOG.warn("a batch is made anew without what is due, and in parts if need be", reason);
      condition.failed(reason);
    }
    due.ifPresent(upkeep -> upkeep.leaveAlone(time.nowNs()));
    if (rest.shrink(due.isPresent())) {
      return;
    }
    if (rest.left().isEmpty()) {
      isResting = true;
      restUntilNs = time.nowNs() + REST_NS;
      rest.end();
    } else if (leases.rowless().hasUncounted() && !isForRowsAlone) {
      isForRowsAlone = true;
    } else {
      isForRowsAlone = false;
      rest.alone().refuse(reason, answerThread);
      rest.dropFinished();
    }
  }
}
