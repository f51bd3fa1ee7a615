package io.millrace.internal.transition.tally;

import io.millrace.api.JobEnd;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.JobWait;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Tallies;
import java.util.Optional;

/**
 * The beginning of a wait for a tally's end. The answer is the tally's row if it is over already,
 * or that it is gone; then there is no wait.
 */
public final class AwaitTally implements Transition<Optional<JobEnd<byte[]>>> {

  private final long number;
  private final JobWait wait;

  public AwaitTally(long number, JobWait wait) {
    this.number = number;
    this.wait = wait;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Tallies.declare(state, reads, number);
  }

  @Override
  public Optional<JobEnd<byte[]>> apply(OpenBatch batch) {
    JobEnd<byte[]> end = Tallies.ended(batch, number);
    if (end == null) {
      AwaitedEnds awaited = batch.state().totals().lives().awaited();
      awaited.requireRoom();
      awaited.begin(wait, TallyKeys.address(number));
    }
    batch.answerAfterWhatIsThere(end != null);
    return Optional.ofNullable(end);
  }
}
