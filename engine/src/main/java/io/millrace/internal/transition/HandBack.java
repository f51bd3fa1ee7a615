package io.millrace.internal.transition;

import io.millrace.internal.state.LeaseEntry;
import java.util.List;

/**
 * Leases that were granted to callers who had given up are handed back, uncounted. Answers how
 * many.
 */
public final class HandBack implements Transition<Integer> {

  private final List<Grant> grants;

  public HandBack(List<Grant> grants) {
    this.grants = grants;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return 3 * grants.size();
  }

  @Override
  public Integer apply(Change change) {
    int count = 0;
    for (Grant grant : grants) {
      LeaseEntry lease = change.state().leases().get(grant.lease().birth());
      // A reopening may have read it from the store again: the same lease, but another object.
      if (lease != null && lease.token() == grant.lease().token()) {
        Release.handBackUntold(change, lease);
        count++;
      }
    }
    return count;
  }
}
