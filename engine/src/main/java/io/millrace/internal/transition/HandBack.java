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
      LeaseEntry lease = grant.lease();
      if (change.state().leases().get(lease.birth()) == lease) {
        Release.handBackUntold(change, lease);
        count++;
      }
    }
    return count;
  }
}
