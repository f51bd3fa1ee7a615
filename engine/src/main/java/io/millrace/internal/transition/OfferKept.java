package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.state.TimerHead;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks which dead and completed jobs are to be removed, and leaves them until somebody has seen
 * them. Answers a step of them; the head moves on once none is left before it.
 */
public final class OfferKept implements Transition<List<OfferKept.Offer>> {

  private final TimerHead head;

  /** A job that is to be removed, and its TIMER row. */
  public record Offer(JobId jobId, byte[] timerKey) {}

  public OfferKept(TimerHead head) {
    this.head = head;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return DueTimers.STEP;
  }

  @Override
  public List<Offer> apply(Change change) {
    DueTimers due = DueTimers.read(change, head);
    List<Offer> offers = new ArrayList<>();
    long bytes = 0;
    for (StepRows.Row row : due.rows()) {
      if (DueTimers.isForeign(change, row) || !Sweep.isRetention(row.key())) {
        continue;
      }
      DueTimers.Owner owner = ownerOrDrop(change, row);
      if (owner != null) {
        offers.add(new Offer(owner.job().jobId(owner.queue().number()), row.key()));
        bytes += owner.job().memoryBytes();
      }
      if (bytes > DueTimers.STEP_BYTES) {
        return offers;
      }
    }
    if (offers.isEmpty()) {
      due.moveHead(change, head);
    }
    return offers;
  }

  private static DueTimers.@Nullable Owner ownerOrDrop(Change change, StepRows.Row row) {
    try {
      DueTimers.Owner owner = DueTimers.owner(change, row);
      if (owner == null) {
        change.delete(row.key());
      }
      return owner;
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
