package io.millrace.internal.transition.lease;

import io.millrace.api.Backoff;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.move.Attempts;
import io.millrace.internal.transition.move.Destination;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * The end of attempts that failed: the jobs back off and are tried again, or become dead letters.
 */
public final class Fail extends LeaseOperation<FailResult> {

  private static final FailResult CANCELLED = new FailResult.Cancelled();

  private final String error;
  private final FailOptions options;

  /**
   * Creates the failure of the jobs of these leases.
   *
   * @param error its text is cut to what is kept
   */
  public Fail(List<NamedLease> leases, String error, FailOptions options) {
    this(leases, options, Attempts.cut(error));
  }

  /** Creates the failure; its cost counts the error twice, for the record and for the history. */
  private Fail(List<NamedLease> leases, FailOptions options, String cut) {
    super(leases, 2L * leases.size() * cut.getBytes(StandardCharsets.UTF_8).length);
    this.error = cut;
    this.options = options;
  }

  @Override
  boolean givesUpSlot() {
    return true;
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  FailResult lost(NamedLease.Lost why) {
    return why == NamedLease.Lost.GONE ? new FailResult.Gone() : new FailResult.StaleLease();
  }

  @Override
  FailResult cancelled() {
    return CANCELLED;
  }

  @Override
  Plan<FailResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    JobRecord ended = Attempts.ended(batch, named.record(batch, lease), lease, error);
    boolean isPermanent = options.retry() == FailOptions.Retry.FORBIDDEN;
    if (isPermanent || ended.attempts() >= ended.maxAttempts(queue.settings())) {
      LeaseEnd.Next dead = new LeaseEnd.Next(ended, Destination.DEAD);
      return new LeaseEnd<>(queue, lease, dead, Total.DIED, new FailResult.Died());
    }
    Backoff backoff = options.backoff().orElseGet(() -> ended.backoff(queue.settings()));
    long delayMs =
        options
            .delay()
            .map(delay -> Math.min(delay.toMillis(), backoff.max().toMillis()))
            .orElseGet(() -> Attempts.backoffMs(batch, ended, backoff));
    long visibleAtMs = batch.nowMs() + delayMs;
    LeaseEnd.Next next =
        new LeaseEnd.Next(ended, Destination.visibleAt(batch, visibleAtMs, batch.nowMs()));
    FailResult retried = new FailResult.Retried(Instant.ofEpochMilli(visibleAtMs));
    return new LeaseEnd<>(queue, lease, next, Total.RETRIED, retried);
  }
}
