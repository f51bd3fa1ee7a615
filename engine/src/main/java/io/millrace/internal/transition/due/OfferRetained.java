package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
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
 * Looks which dead and completed jobs are to be removed, and leaves them until somebody has seen
 * them. Answers a step of them, and moves the head behind it.
 */
public final class OfferRetained implements Transition<OfferRetained.Step> {

  private final TimerHead head;
  private final List<byte[]> again;
  private final Predicate<byte[]> isKnown;

  /** A job that is to be removed, and its TIMER row. */
  public record Offer(JobId jobId, byte[] timerKey) {}

  /**
   * What was found.
   *
   * @param offers jobs that are to be removed; so few that one batch can remove all
   * @param gone TIMER rows that were to be offered again and mean nothing any more
   */
  public record Step(List<Offer> offers, List<byte[]> gone) {}

  /**
   * Begins at the head, and moves it.
   *
   * @param again TIMER rows that are offered first, wherever the head is
   * @param isKnown of which TIMER rows somebody else takes care: the head passes over them
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
    int countMax = countMax(batch);
    long bytes = 0;
    for (byte[] key : again) {
      if (!hasRoom(batch, offers, countMax, bytes)) {
        return new Step(offers, gone);
      }
      byte[] value = batch.get(key);
      long jobBytes = value == null ? 0 : offer(batch, new Row(key, value), offers);
      bytes += jobBytes;
      if (jobBytes == 0) {
        gone.add(key);
      }
    }
    DueTimers due = DueTimers.read(batch, head, batch.context().steadyMs());
    due.readTogether(batch, key -> Sweep.isRetention(key) && !isKnown.test(key));
    for (Row row : due.rows()) {
      if (!hasRoom(batch, offers, countMax, bytes)) {
        head.moveTo(row.key());
        return new Step(offers, gone);
      }
      if (!DueTimers.isForeign(batch, row)
          && Sweep.isRetention(row.key())
          && !isKnown.test(row.key())) {
        bytes += offer(batch, row, offers);
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

  private static boolean hasRoom(OpenBatch batch, List<Offer> offers, int countMax, long bytes) {
    return offers.size() < countMax
        && bytes <= DueTimers.STEP_BYTES
        && DueTimers.hasRoomToEnd(batch);
  }

  /** Answers the length of the job that is offered, in bytes; 0 for none. */
  private static long offer(OpenBatch batch, Row row, List<Offer> offers) {
    DueTimers.Owner owner = ownerOrDrop(batch, row);
    if (owner == null) {
      return 0;
    }
    offers.add(new Offer(owner.job().jobId(owner.queue().number()), row.key()));
    return owner.job().memoryBytes();
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
