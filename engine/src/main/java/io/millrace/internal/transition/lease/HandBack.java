package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.StoreException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The return of leases that were granted to callers who had given up; the attempts do not count.
 * The answer is the leases for which the batch had no room.
 */
public final class HandBack implements Transition<List<LeaseEntry>> {

  /**
   * The cost of one lease: LEASE, the job's record, which may be put anew, and TIMER; or the end of
   * the job.
   */
  public static final Cost EACH =
      Cost.END
          .plus(Cost.deletes(1))
          .plusBytes(RowBytes.JOB + RowBytes.ERROR + RowBytes.SIGNAL + RowBytes.TIMER);

  private static final Logger LOG = LoggerFactory.getLogger(HandBack.class);

  private final List<LeaseEntry> leases;

  public HandBack(List<LeaseEntry> leases) {
    this.leases = leases;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return EACH.times(leases.size());
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    leases.forEach(lease -> Release.declare(state, reads, lease));
  }

  @Override
  public List<LeaseEntry> apply(OpenBatch batch) {
    for (int i = 0; i < leases.size(); i++) {
      LeaseEntry granted = leases.get(i);
      if (!batch.hasRoomToSpare(EACH)) {
        return leases.subList(i, leases.size());
      }
      LeaseEntry lease = batch.state().leases().get(granted.birth());
      // A reopening may have read it from the store again: the same lease, but another object.
      if (lease != null && lease.token() == granted.token()) {
        handBack(batch, lease);
      }
    }
    return List.of();
  }

  /**
   * Hands the lease back. If its job cannot be read, it is left alone before anything is changed,
   * and runs out.
   */
  private static void handBack(OpenBatch batch, LeaseEntry lease) {
    try {
      Release.handBackUntold(batch, lease);
    } catch (CorruptDataException | StoreException e) {
      LOG.warn("a lease that nobody holds is left to run out: job={}", lease.birth(), e);
    }
  }
}
