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
 * Leases that were granted to callers who had given up are handed back, uncounted. Answers those
 * that the batch has no room for.
 */
public final class HandBack implements Transition<List<Grant>> {

  /** LEASE, and its record, which may be put anew, and TIMER; or the job is no more. */
  public static final Cost EACH =
      Cost.END
          .plus(Cost.deletes(1))
          .plusBytes(RowBytes.JOB + RowBytes.ERROR + RowBytes.SIGNAL + RowBytes.TIMER);

  private static final Logger LOG = LoggerFactory.getLogger(HandBack.class);

  private final List<Grant> grants;

  public HandBack(List<Grant> grants) {
    this.grants = grants;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return EACH.times(grants.size());
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    grants.forEach(grant -> Release.declare(state, reads, grant.lease()));
  }

  @Override
  public List<Grant> apply(OpenBatch batch) {
    for (int i = 0; i < grants.size(); i++) {
      Grant grant = grants.get(i);
      if (!batch.hasRoomToSpare(EACH)) {
        return grants.subList(i, grants.size());
      }
      LeaseEntry lease = batch.state().leases().get(grant.lease().birth());
      // A reopening may have read it from the store again: the same lease, but another object.
      if (lease != null && lease.token() == grant.lease().token()) {
        handBack(batch, lease);
      }
    }
    return List.of();
  }

  /** What cannot be read is left alone, before anything was changed: the lease runs out. */
  private static void handBack(OpenBatch batch, LeaseEntry lease) {
    try {
      Release.handBackUntold(batch, lease);
    } catch (CorruptDataException | StoreException e) {
      LOG.warn("a lease that nobody holds is left to run out: job={}", lease.birth(), e);
    }
  }
}
