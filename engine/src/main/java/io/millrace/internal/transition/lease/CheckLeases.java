package io.millrace.internal.transition.lease;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.Transition;
import java.util.List;

/**
 * After a reopening, the leases in memory that no row tells of: those whose holders were told and
 * whose jobs are where they were go on for their full duration from now and are written; the others
 * are forgotten. Answers how many go on.
 */
public final class CheckLeases implements Transition<Integer> {

  private final long graceMs;

  /**
   * Leases that go on.
   *
   * @param graceMs how much longer than its duration each holds
   */
  public CheckLeases(long graceMs) {
    this.graceMs = graceMs;
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
  public Integer apply(OpenBatch batch) {
    LeaseTable leases = batch.state().leases();
    int count = 0;
    for (LeaseEntry lease : List.copyOf(leases.all())) {
      if (batch.get(LeaseKeys.key(lease.queue(), lease.birth())) != null) {
        count++;
        continue;
      }
      byte[] value = batch.get(lease.readyKey());
      JobRecord job = value == null ? null : Records.decodeOrReport(batch, lease.readyKey(), value);
      if (lease.isTold() && job != null && job.birth() == lease.birth()) {
        lease.setHoldings(Holdings.of(lease.queue(), lease.readyKey(), job));
        leases.rewrite(lease, batch.leaseNs() + (lease.grantedMs() + graceMs) * 1_000_000);
        count++;
      } else {
        leases.forget(lease);
      }
    }
    return count;
  }
}
