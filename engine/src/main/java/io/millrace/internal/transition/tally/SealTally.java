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

/**
 * The seal of a tally, which is over from then on when none of its jobs is left. The answer tells
 * whether there is such a tally.
 */
public final class SealTally implements Operation<Boolean> {

  private final TallyRef ref;

  public SealTally(TallyRef ref) {
    this.ref = ref;
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
    boolean isToBegin = ref.number() == 0;
    return isToBegin || Tallies.record(batch, ref.number()) != null
        ? this::carryOut
        : Plan.answer(false);
  }

  private boolean carryOut(OpenBatch batch) {
    TallyEntry entry = batch.state().tallies().of(ref.number());
    TallyRecord tally = entry.record();
    if (tally != null && !tally.is(TallyRecord.SEALED)) {
      batch.state().tallies().change(entry, tally.with(TallyRecord.SEALED));
    }
    return tally != null;
  }
}
