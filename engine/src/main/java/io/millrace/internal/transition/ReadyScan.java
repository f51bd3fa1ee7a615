package io.millrace.internal.transition;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.spi.WriteBatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The walk along a queue's lines to the next job that a claim may have: priorities from the
 * highest, each in sequence, first what its window holds, then on in the store.
 *
 * <p>Jobs heavier than the worker's capacity are not eligible. One heavier than what is free now is
 * passed over, but only {@link ClaimOptions#PASSES_MAX} times for the same worker: then nothing is
 * taken from behind it.
 */
final class ReadyScan {

  /** Jobs that a refill adds to a window. */
  private static final int REFILL_COUNT = 1_024;

  /** Bytes after which a refill stops, so that the budget is not overrun by much. */
  private static final int REFILL_BYTES = 1 << 20;

  private final Change change;
  private final QueueState queue;
  private final ClaimSpec spec;
  private final int freeWeight;
  private @Nullable ReadyJob passedOver;
  private boolean isBarred;

  private ReadyScan(Change change, QueueState queue, ClaimSpec spec, int freeWeight) {
    this.change = change;
    this.queue = queue;
    this.spec = spec;
    this.freeWeight = freeWeight;
  }

  /**
   * The next job of a queue that a claim may have.
   *
   * @param passedOver the first job that was passed over for it
   */
  record Candidate(
      QueueState queue, ReadyWindow window, ReadyJob ready, @Nullable ReadyJob passedOver) {

    boolean isBefore(Candidate other) {
      int priority = ready.job().priority();
      int otherPriority = other.ready.job().priority();
      return priority != otherPriority
          ? priority > otherPriority
          : ready.sequence() < other.ready.sequence();
    }

    /** Takes the job out of its line, and remembers for the worker what it was preferred to. */
    ReadyJob take(String worker) {
      window.removeSequence(ready.sequence());
      if (passedOver != null) {
        long birth = passedOver.job().birth();
        queue.setPassedOver(
            worker, new QueueState.PassedOver(birth, passes(queue, worker, birth) + 1));
      }
      return ready;
    }
  }

  static @Nullable Candidate next(Change change, QueueState queue, ClaimSpec spec, int freeWeight) {
    ReadyScan scan = new ReadyScan(change, queue, spec, freeWeight);
    for (ReadyWindow window : queue.windows()) {
      if (window.readyCount() > 0) {
        Candidate found = scan.nextIn(window);
        if (found != null || scan.isBarred) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable Candidate nextIn(ReadyWindow window) {
    int index = 0;
    while (true) {
      for (; index < window.size() && !isBarred; index++) {
        ReadyJob ready = window.get(index);
        if (isTakable(ready)) {
          return new Candidate(queue, window, ready, passedOver);
        }
      }
      if (isBarred || window.reachesEnd()) {
        return null;
      }
      if (index > 0 && change.state().isOverBudget()) {
        return nextBehind(window);
      }
      refill(window);
    }
  }

  private boolean isTakable(ReadyJob ready) {
    int weight = ready.job().weight();
    if (weight > spec.capacity()) {
      return false;
    }
    if (weight <= freeWeight) {
      return true;
    }
    if (passedOver == null) {
      passedOver = ready;
      isBarred = passes(queue, spec.worker(), ready.job().birth()) >= ClaimOptions.PASSES_MAX;
    }
    return false;
  }

  private static int passes(QueueState queue, String worker, long birth) {
    QueueState.PassedOver known = queue.passedOver(worker);
    return known != null && known.birth() == birth ? known.count() : 0;
  }

  /** Reads on into the window. */
  private void refill(ReadyWindow window) {
    change.state().makeRoomFor(queue);
    int[] budget = {REFILL_COUNT, refillBytes()};
    long[] last = {window.tail()};
    boolean isEnd =
        readBehind(
            window,
            ready -> {
              window.readOn(ready);
              last[0] = ready.sequence();
              budget[0]--;
              budget[1] -= ready.job().memoryBytes();
              return budget[0] > 0 && budget[1] > 0;
            });
    window.readUpTo(isEnd ? Math.max(last[0], change.state().nextSequence() - 1) : last[0], isEnd);
  }

  /** So that the windows of all queues of one claim have room, or each would evict the others. */
  private int refillBytes() {
    long share = change.state().rules().windowBytesMax() / (2L * spec.queues().size());
    return (int) Math.min(REFILL_BYTES, share);
  }

  /** Looks on behind a window that has no room to grow. */
  private @Nullable Candidate nextBehind(ReadyWindow window) {
    Candidate[] found = {null};
    readBehind(
        window,
        ready -> {
          if (isTakable(ready)) {
            found[0] = new Candidate(queue, window, ready, passedOver);
          }
          return found[0] == null && !isBarred;
        });
    return found[0];
  }

  /**
   * Visits the unleased jobs behind the window's tail until the visitor stops; answers whether the
   * line ended.
   */
  private boolean readBehind(ReadyWindow window, Predicate<ReadyJob> visitor) {
    LeaseTable leases = change.state().leases();
    boolean[] isStopped = {false};
    change.scan(
        ReadyKeys.key(queue.number(), window.priority(), window.tail() + 1),
        ReadyKeys.priorityEnd(queue.number(), window.priority()),
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(change, key, value);
          if (job == null || leases.isLeased(job.birth())) {
            return true;
          }
          isStopped[0] = !visitor.test(asRead(key, job));
          return !isStopped[0];
        });
    return !isStopped[0];
  }

  /** Which commit made the job ready is not known any more: the latest that it can have been. */
  private ReadyJob asRead(byte[] key, JobRecord job) {
    long sequence = ReadyKeys.sequence(key);
    long batchNumber = change.batch().number();
    if (isOfBatch(key, job)) {
      return new ReadyJob(sequence, job, batchNumber, change.strongestLevel());
    }
    long askedCommit = Math.min(change.sources().syncs().askedCommit(), batchNumber - 1);
    return new ReadyJob(sequence, job, askedCommit, Durability.SYNCED);
  }

  /** Its record came with this batch, or it is free again since its lease ended with this batch. */
  private boolean isOfBatch(byte[] key, JobRecord job) {
    WriteBatch batch = change.batch();
    return batch.find(key) >= 0 || batch.find(LeaseKeys.key(queue.number(), job.birth())) >= 0;
  }
}
