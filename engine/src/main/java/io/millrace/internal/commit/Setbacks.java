package io.millrace.internal.commit;

import io.millrace.internal.state.LeaseTable;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a batch that was taken back for another reason than a full store: it is made anew
 * with less in it, until it can be or one request is alone with its fault. Belongs to the loop's
 * thread.
 */
final class Setbacks {

  private static final Logger LOG = LoggerFactory.getLogger(Setbacks.class);
  private static final long REST_NS = 1_000_000_000L;

  private final LeaseTable leases;
  private final EngineTime time;
  private final EngineCondition condition;
  private final AnswerThread answerThread;

  /** Something failed that nobody asked for: it is left for a while. */
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

  /** How long nothing is done of what nobody asked for. */
  long restNs() {
    isResting &= restUntilNs - time.nowNs() > 0;
    return isResting ? restUntilNs - time.nowNs() : 0;
  }

  /** Whether the next batch has nothing but the rows of leases, so that a request can be alone. */
  boolean isForRowsAlone() {
    return isForRowsAlone;
  }

  /** A batch was written. */
  void overcome() {
    isForRowsAlone = false;
  }

  /** A request failed in the middle. */
  void refuse(Group.BrokenException broken, Portion portion) {
    LOG.error("a request failed in the middle and was taken back", broken.reason());
    condition.failed(broken.reason());
    broken.culprit().refuse(broken.reason(), answerThread);
    portion.dropFinished();
  }

  /**
   * The batch cannot be made as it is: it is tried with less in it, and a request that is alone in
   * it is refused.
   *
   * @param due what was due and had a part in it
   */
  void setBack(Portion portion, Optional<Upkeep> due, RuntimeException reason) {
    if (due.isPresent() || portion.left().isEmpty()) {
      LOG.warn("a batch is made anew without what is due, and in parts if need be", reason);
      condition.failed(reason);
    }
    due.ifPresent(upkeep -> upkeep.leaveAlone(time.nowNs()));
    if (portion.shrink(due.isPresent())) {
      return;
    }
    if (portion.left().isEmpty()) {
      isResting = true;
      restUntilNs = time.nowNs() + REST_NS;
      portion.end();
    } else if (leases.rowless().hasUncounted() && !isForRowsAlone) {
      isForRowsAlone = true;
    } else {
      isForRowsAlone = false;
      portion.alone().refuse(reason, answerThread);
      portion.dropFinished();
    }
  }
}
