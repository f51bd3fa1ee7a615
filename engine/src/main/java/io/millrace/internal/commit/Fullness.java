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
 * The state of a store that is or is not full, and the refusals while it is. Requests that add to
 * the store are refused first. If not even the reserve has room, all are refused until the next
 * probe.
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

  /**
   * Tells whether not even the reserve had room for due work, which then waits for the next probe.
   */
  boolean isDueWorkOff() {
    return isDueWorkOff;
  }

  /** Returns which space a batch may use: also the reserve if the store is full. */
  WriteBatch.Reserve reserve() {
    return isFull ? WriteBatch.Reserve.USE : WriteBatch.Reserve.KEEP;
  }

  /** Returns the nanoseconds until the next probe; only valid while the store is full. */
  long probeWaitNs() {
    return probeAtNs - time.nowNs();
  }

  /**
   * Writes a small batch to see whether there is room again. Due work is tried again with the batch
   * after it.
   */
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

  /** Forgets that the store was full, for it was opened anew. */
  void forget() {
    isFull = false;
    isDueWorkOff = false;
  }

  /**
   * Notes that the store refused a batch. Refuses the requests that add to the store. The others
   * are tried once more with the reserve, and refused if that had no room either.
   */
  void refused(StoreFullException cause, RestOfGroup rest, WriteBatch.Reserve reserve) {
    if (!isFull) {
      LOG.warn(
          "store is full: only what frees something is carried out until there is room", cause);
      condition.full(cause);
    }
    isFull = true;
    probeAtNs = time.nowNs() + PROBE_NS;
    isDueWorkOff = reserve == WriteBatch.Reserve.USE;
    refuse(rest.left(), Transition.Growth.GROWS, cause);
    if (reserve == WriteBatch.Reserve.USE) {
      refuse(rest.left(), Transition.Growth.FREES, cause);
      rest.end();
    }
    rest.dropFinished();
  }

  /** Refuses the requests that would add to a store that is known to be full. */
  void refuseGrowth(RestOfGroup rest) {
    if (isFull) {
      refuse(rest.left(), Transition.Growth.GROWS, null);
      rest.dropFinished();
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
