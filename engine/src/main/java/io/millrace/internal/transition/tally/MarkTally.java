package io.millrace.internal.transition.tally;

import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TallyEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.TallyRef;

/** A mark on a tally. The answer tells whether there is such a tally. */
public final class MarkTally implements Operation<Boolean> {

  private final TallyRef ref;
  private final int flags;

  private MarkTally(TallyRef ref, int flags) {
    this.ref = ref;
    this.flags = flags;
  }

  /** Creates the seal: the tally is over from then on when none of its jobs is left. */
  public static MarkTally sealed(TallyRef ref) {
    return new MarkTally(ref, TallyRecord.SEALED);
  }

  /** Creates the seal of a tally that no job joins any more. */
  public static MarkTally cancelled(TallyRef ref) {
    return new MarkTally(ref, TallyRecord.SEALED | TallyRecord.CANCELLED);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.TALLY;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Tallies.declare(state, reads, ref.number());
  }

  @Override
  public Plan<Boolean> check(OpenBatch batch) {
    boolean isToBegin = ref.number() == 0 || batch.planned().isOpened(ref.number());
    return isToBegin || Tallies.record(batch, ref.number()) != null
        ? this::carryOut
        : Plan.answer(false);
  }

  private boolean carryOut(OpenBatch batch) {
    TallyEntry entry = batch.state().tallies().of(ref.number());
    TallyRecord tally = entry.record();
    if (tally != null && (tally.flags() & flags) != flags) {
      batch.state().tallies().change(entry, tally.with(flags));
    }
    return tally != null;
  }
}
