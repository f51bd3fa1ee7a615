package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A step of the search for dead and completed jobs that are to be removed, which are left until the
 * retention listener has seen them. The answer is the jobs that were found; the head moves behind
 * them.
 */
public final class OfferRetained implements Transition<OfferRetained.Step> {

  private final TimerHead head;
  private final List<byte[]> again;
  private final Predicate<byte[]> isKnown;

  /** A job that is to be removed, and its TIMER row. */
  public record Offer(JobId jobId, byte[] timerKey) {}

  /**
   * The result of a step.
   *
   * @param offers jobs that are to be removed; so few that one batch can remove all
   * @param gone TIMER rows that were to be offered again and mean nothing any more
   */
  public record Step(List<Offer> offers, List<byte[]> gone) {}

  /**
   * Creates a step that begins at the head, and moves it.
   *
   * @param again TIMER rows that are offered first, wherever the head is
   * @param isKnown whether a TIMER row is taken care of elsewhere: the head passes over it
   */
  public OfferRetained(TimerHead head, List<byte[]> again, Predicate<byte[]> isKnown) {
    this.head = head;
    this.again = again;
    this.isKnown = isKnown;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return DueTimers.END.times(DueTimers.STEP + again.size());
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    DueTimers.declare(state, reads, again);
  }

  @Override
  public Step apply(OpenBatch batch) {
    List<Offer> offers = new ArrayList<>();
    List<byte[]> gone = new ArrayList<>();
    Room room = new Room(countMax(batch));
    for (byte[] key : again) {
      if (!room.isLeft(batch)) {
        return new Step(offers, gone);
      }
      byte[] value = batch.get(key);
      if (value == null || !offer(batch, new Row(key, value), offers, room)) {
        gone.add(key);
      }
    }
    DueTimers due = DueTimers.read(batch, head, batch.context().steadyMs());
    due.readTogether(batch, key -> Sweep.isRetention(key) && !isKnown.test(key));
    for (Row row : due.rows()) {
      if (!room.isLeft(batch)) {
        head.moveTo(row.key());
        return new Step(offers, gone);
      }
      if (!DueTimers.isForeign(batch, row)
          && Sweep.isRetention(row.key())
          && !isKnown.test(row.key())) {
        offer(batch, row, offers, room);
      }
    }
    due.moveHead(head);
    return new Step(offers, gone);
  }

  private static int countMax(OpenBatch batch) {
    BatchLimits limits = batch.state().rules().batch();
    long fitting =
        Math.min(
            limits.operationCountMax() / 2 / DueTimers.END.operations(),
            limits.bytesMax() / 2 / DueTimers.END.bytes());
    return (int) Math.max(1, Math.min(DueTimers.STEP, fitting));
  }

  /** The room that one step has left. */
  private static final class Room {
    private int countLeft;
    private long bytes;

    private Room(int countMax) {
      countLeft = countMax;
    }

    private boolean isLeft(OpenBatch batch) {
      return countLeft > 0 && bytes <= DueTimers.STEP_BYTES && DueTimers.hasRoomToEnd(batch);
    }

    /** Counts a job. One for which signals are kept with long payloads counts as several. */
    private void take(JobRecord job) {
      int more = job.inboxSlots() + DueTimers.END.operations() - 1;
      countLeft -= 1 + more / DueTimers.END.operations();
      bytes += job.memoryBytes();
    }
  }

  private static boolean offer(OpenBatch batch, Row row, List<Offer> offers, Room room) {
    DueTimers.Owner owner = ownerOrDrop(batch, row);
    if (owner == null) {
      return false;
    }
    offers.add(new Offer(owner.job().jobId(owner.queue().number()), row.key()));
    room.take(owner.job());
    return true;
  }

  private static DueTimers.@Nullable Owner ownerOrDrop(OpenBatch batch, Row row) {
    try {
      DueTimers.Owner owner = DueTimers.owner(batch, row);
      if (owner == null) {
        batch.delete(row.key());
      }
      return owner;
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
