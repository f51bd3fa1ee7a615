package io.millrace.internal.transition.lease;

import io.millrace.api.RateLimit;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.Gates;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.RateTable;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.internal.state.ShutKeys;
import io.millrace.internal.transition.OpenBatch;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits of a queue, and those over all queues, as the search of a claim meets them.
 *
 * <p>If the queue itself has no token, the search finds nothing. If only keys have none, their jobs
 * are put aside as they are met, and the search goes on behind them. A search that finds nothing
 * notes when the next token comes, so that claims which wait are looked at again in that
 * millisecond.
 */
final class Limited {

  private final OpenBatch batch;
  private final QueueState queue;
  private final List<QueueState> queues;
  private final RateTable rates;
  private final long nowMs;
  private final @Nullable RateLimit perKey;

  /**
   * Creates the limits for the search along one queue of a claim.
   *
   * @param queues all queues of the claim
   */
  Limited(OpenBatch batch, QueueState queue, List<QueueState> queues) {
    this.batch = batch;
    this.queue = queue;
    this.queues = queues;
    this.rates = batch.state().rates();
    this.nowMs = batch.context().steadyMs();
    Optional<RateLimit> limit = queue.settings().rateLimitPerKey();
    this.perKey = limit.orElse(null);
    queue.shut().check(limit);
  }

  /** Tells whether no job of the queue can be started now. */
  boolean isShut() {
    return rates.isShut(queue, nowMs);
  }

  /**
   * Lets waiting claims go on when the next token comes, if nothing was found for want of tokens.
   */
  void wakeWhenOpen() {
    long untilMs = queue.shut().untilMs(nowMs);
    if (untilMs != RateTable.NEVER) {
      rates.wakeAt(queue.name(), untilMs);
    }
  }

  /**
   * Notes that nothing is taken from behind a heavy job: claims go on if another queue takes its
   * token.
   */
  void noteHeldUp(ReadyJob heavy) {
    EngineRate rate = heavy.job().engineRate();
    if (rate != null) {
      rates.holdUp(queue, rate);
    }
  }

  /**
   * Tells whether a job must be passed over: its keys have no token, or others of the same keys
   * that were put aside come first.
   */
  boolean mustWait(ReadyWindow window, ReadyJob ready) {
    Gates key = gates(ready);
    if (key == null) {
      return false;
    }
    ShutKeys shut = window.shut();
    return (shut != null && shut.holds(key)) || rates.nextTokenMs(queue, key, nowMs) > nowMs;
  }

  /** Returns the keys that must have tokens for the job to be started; null if it has none. */
  private @Nullable Gates gates(ReadyJob ready) {
    EngineRate rate = ready.job().engineRate();
    byte[] slotKey = perKey == null ? null : SlotKeys.ofJob(queue.number(), ready.job());
    return slotKey == null && rate == null ? null : new Gates(slotKey, rate);
  }

  /** Tells whether no more jobs of the line can be put aside. */
  boolean isFull(ReadyWindow window) {
    return window.shut() != null && window.shut().isFull();
  }

  /** Puts a job aside that must wait. */
  void putAside(ReadyWindow window, ReadyJob ready) {
    batch.noteWalked();
    batch.state().makeRoomForLights(queues);
    Gates key = Objects.requireNonNull(gates(ready), "gates");
    window.putAside(ready, key, perKey, rates.nextTokenMs(queue, key, nowMs));
  }

  /**
   * Returns the sequence of the first job that was put aside and may be started now, or {@link
   * ShutKeys#NONE}.
   */
  long firstOpened(ReadyWindow window, int weightMax) {
    ShutKeys shut = window.shut();
    return shut == null
        ? ShutKeys.NONE
        : shut.first(weightMax, nowMs, key -> rates.nextTokenMs(queue, key, nowMs));
  }
}
