package io.millrace.internal.commit;

import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is full, and who is refused while it is: first what adds to it, and if not even
 * the reserve has room, everything until the next probe.
 *
 * <p>Belongs to the loop's thread, except for {@link #isFull()}.
 */
final class Fullness {

  private static final Logger LOG = LoggerFactory.getLogger(Fullness.class);
  private static final long PROBE_NS = 1_000_000_000L;

  private final EngineTime time;
  private final EngineCondition condition;
  private final AnswerThread answerThread;
  private volatile boolean isFull;
  private boolean isDueWorkOff;
  private long probeAtNs;

  Fullness(EngineTime time, EngineCondition condition, AnswerThread answerThread) {
    this.time = time;
    this.condition = condition;
    this.answerThread = answerThread;
  }

  boolean isFull() {
    return isFull;
  }

  /** Whether not even the reserve had room for what is due; it waits for the next probe. */
  boolean isDueWorkOff() {
    return isDueWorkOff;
  }

  /** What batches may use. */
  WriteBatch.Reserve reserve() {
    return isFull ? WriteBatch.Reserve.USE : WriteBatch.Reserve.KEEP;
  }

  /** How long until a probe; only if it is full. */
  long probeWaitNs() {
    return probeAtNs - time.nowNs();
  }

  /** Looks whether there is room again; what is due is tried again with the batch after it. */
  void probe(ReopenableStore store) {
    probeAtNs = time.nowNs() + PROBE_NS;
    isDueWorkOff = false;
    WriteBatch probe = new WriteBatch(store.store().lastCommit() + 1);
    probe.put(MetaKeys.TIME, new MetaRecords.Time(time.nowMs(), time.steadyMs()).encode());
    try {
      store.write(probe, 0);
      isFull = false;
      condition.roomAgain();
      LOG.info("store has room again");
    } catch (StoreFullException e) {
      LOG.debug("store is still full", e);
    }
  }

  /** The store was opened anew. */
  void forget() {
    isFull = false;
    isDueWorkOff = false;
  }

  /**
   * The store refused the batch. Requests that add to it are refused; the others are tried once
   * more with the reserve, and refused if that had no room either.
   */
  void refused(StoreFullException cause, Portion portion, WriteBatch.Reserve reserve) {
    if (!isFull) {
      LOG.warn(
          "store is full: only what frees something is carried out until there is room", cause);
      condition.full(cause);
    }
    isFull = true;
    probeAtNs = time.nowNs() + PROBE_NS;
    isDueWorkOff = reserve == WriteBatch.Reserve.USE;
    refuse(portion.left(), Transition.Growth.GROWS, cause);
    if (reserve == WriteBatch.Reserve.USE) {
      refuse(portion.left(), Transition.Growth.FREES, cause);
      portion.end();
    }
    portion.dropFinished();
  }

  /** Refuses what would add to a store that is known to be full. */
  void refuseGrowth(Portion portion) {
    if (isFull) {
      refuse(portion.left(), Transition.Growth.GROWS, null);
      portion.dropFinished();
    }
  }

  private void refuse(
      List<Request<?>> requests, Transition.Growth growth, @Nullable StoreFullException cause) {
    for (Request<?> request : requests) {
      if (request.transition().growth() == growth) {
        request.refuse(Refusals.full(cause), answerThread);
      }
    }
  }
}
