package io.millrace.internal.transition.lease;

import io.millrace.api.CompleteResult;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TallyResult;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.move.Attempts;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Tallies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The completion of leased jobs: every row of theirs goes, or they are kept with their results for
 * a while.
 */
public final class Complete extends LeaseOperation<CompleteResult> {

  private final Map<NamedLease, byte[]> results;
  private final Cost cost;

  public Complete(List<NamedLease> leases) {
    this(leases, Map.of());
  }

  /**
   * Creates the completion of the jobs of these leases.
   *
   * @param results what the jobs of some of these very leases were completed with; not to be
   *     changed
   */
  public Complete(List<NamedLease> leases, Map<NamedLease, byte[]> results) {
    super(leases, lengthOf(results));
    this.results = results;
    this.cost = results.isEmpty() ? super.cost() : super.cost().plus(costOfTallies(results));
  }

  /** Returns the cost of the rows in which tallies may keep results. */
  private static Cost costOfTallies(Map<NamedLease, byte[]> results) {
    int operations = 0;
    long bytes = 0;
    for (Map.Entry<NamedLease, byte[]> result : results.entrySet()) {
      if (result.getKey().mayHaveTally()) {
        operations++;
        bytes += RowBytes.TALLY_RESULT + result.getValue().length;
      }
    }
    return new Cost(operations, bytes);
  }

  @Override
  public Cost cost() {
    return cost;
  }

  private static long lengthOf(Map<NamedLease, byte[]> results) {
    long length = 0;
    for (byte[] result : results.values()) {
      length += result.length;
    }
    return length;
  }

  @Override
  boolean givesUpSlot() {
    return true;
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    QueueState queue = state.queue(lease.queue());
    return lease.resultRetentionMs() != 0 || (queue != null && retentionMs(queue, lease) != 0);
  }

  @Override
  CompleteResult lost(NamedLease.Lost why) {
    return why == NamedLease.Lost.GONE ? CompleteResult.GONE : CompleteResult.STALE_LEASE;
  }

  @Override
  Plan<CompleteResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    long retentionMs = retentionMs(queue, lease);
    byte[] result = results.get(named);
    LeaseEnd.Next next = null;
    if (retentionMs != 0) {
      JobRecord job = Attempts.ended(batch, named.record(batch, lease), lease, null);
      JobRecord done = job.toBuilder().set(JobField.RESULT, result).build();
      next = new LeaseEnd.Next(done, Destination.done(retentionMs));
    }
    LeaseEnd<CompleteResult> end =
        new LeaseEnd<>(queue, lease, next, Total.COMPLETED, CompleteResult.COMPLETED);
    return result == null
        ? end
        : new LeaseEnd.WithResult<>(end, result, ofTally(batch, lease, named, result));
  }

  private static @Nullable TallyResult ofTally(
      OpenBatch batch, LeaseEntry lease, NamedLease named, byte[] result) {
    return lease.tally() != 0 && Tallies.keepsResults(batch, lease.tally())
        ? new TallyResult(named.address().toJobId(), result)
        : null;
  }

  private static long retentionMs(QueueState queue, LeaseEntry lease) {
    if (lease.resultRetentionMs() != 0) {
      return lease.resultRetentionMs();
    }
    Optional<Duration> kept = queue.settings().resultRetention();
    return kept.isPresent() ? kept.get().toMillis() : 0;
  }
}
