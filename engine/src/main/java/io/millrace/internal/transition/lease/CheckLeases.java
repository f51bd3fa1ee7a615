package io.millrace.internal.transition.lease;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.Queues;
import java.util.List;

/**
 * The check, after a reopening, of the leases in memory that have no row: those whose holders were
 * told and whose jobs are where they were go on for their full duration from now and are written;
 * the others are forgotten. The answer is how many leases go on.
 */
public final class CheckLeases implements Transition<Integer> {

  /** The number of leases whose rows are read together. */
  private static final int STEP = 1_000;

  private final long graceMs;

  /**
   * Creates a check.
   *
   * @param graceMs how much longer than its duration each lease holds that goes on
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
    List<LeaseEntry> left = List.copyOf(batch.state().leases().all());
    int count = 0;
    while (!left.isEmpty()) {
      List<LeaseEntry> step = left.subList(0, Math.min(STEP, left.size()));
      readTogether(batch, step);
      count += check(batch, step);
      left = left.subList(step.size(), left.size());
    }
    return count;
  }

  /** Reads the rows of the leases, and the jobs of those that have none. */
  private static void readTogether(OpenBatch batch, List<LeaseEntry> leases) {
    RowReads reads = batch.reads();
    reads.forget();
    for (LeaseEntry lease : leases) {
      reads.wantByKey(
          LeaseKeys.key(lease.queue(), lease.birth()),
          value -> {
            if (value == null) {
              reads.wantByKey(lease.readyKey());
            }
          });
    }
    reads.fetch();
  }

  private int check(OpenBatch batch, List<LeaseEntry> step) {
    LeaseTable leases = batch.state().leases();
    int count = 0;
    for (LeaseEntry lease : step) {
      if (batch.get(LeaseKeys.key(lease.queue(), lease.birth())) != null) {
        count++;
        continue;
      }
      byte[] value = batch.get(lease.readyKey());
      JobRecord job = value == null ? null : Records.decodeOrReport(batch, lease.readyKey(), value);
      if (lease.isTold() && job != null && job.birth() == lease.birth()) {
        lease.setHoldings(Holdings.of(lease.queue(), lease.readyKey(), job));
        leases.rewrite(lease, batch.leaseNs() + Nanos.ofMs(lease.grantedMs() + graceMs));
        count++;
      } else {
        if (!lease.isTold() && lease.hasTokens()) {
          giveTokensBack(batch, lease);
        }
        leases.forget(lease);
      }
    }
    return count;
  }

  /** Gives back the tokens of a lease of which its claimer was not told: it is no start. */
  private static void giveTokensBack(OpenBatch batch, LeaseEntry lease) {
    QueueState queue = Queues.numbered(batch, lease.queue());
    if (queue != null) {
      batch.state().rates().giveBack(queue, lease, batch.context().steadyMs());
    }
  }
}
