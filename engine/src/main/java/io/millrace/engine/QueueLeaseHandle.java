package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.transition.lease.EndQueueLease;
import io.millrace.internal.transition.lease.ExtendQueueLease;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease on a queue as its holder sees it. */
final class QueueLeaseHandle implements QueueLease {

  private static final Logger LOG = LoggerFactory.getLogger(QueueLeaseHandle.class);

  private final Submitter submitter;
  private final Claims claims;
  private final QueueLeaseEntry lease;
  private volatile boolean isClosed;

  QueueLeaseHandle(Submitter submitter, Claims claims, QueueLeaseEntry lease) {
    this.submitter = submitter;
    this.claims = claims;
    this.lease = lease;
  }

  @Override
  public QueueName queue() {
    return lease.queue();
  }

  @Override
  public String worker() {
    return lease.worker();
  }

  @Override
  public long token() {
    return lease.token();
  }

  @Override
  public Duration remaining() {
    long leftNs = lease.isEnded() ? 0 : lease.deadlineNs() - submitter.leaseNs();
    return Duration.ofNanos(Math.max(0, leftNs));
  }

  @Override
  public QueueClaimResult claim(ClaimOptions options) {
    return claims.claimThrough(lease, options);
  }

  @Override
  public CompletableFuture<QueueClaimResult> claimAsync(ClaimOptions options) {
    return claims.claimThroughAsync(lease, options);
  }

  @Override
  public QueueExtendResult extend(Duration duration) {
    long durationMs =
        Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX).toMillis();
    return submitter.call(new ExtendQueueLease(queue(), token(), durationMs));
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    try {
      submitter.call(ending());
      isClosed = true;
    } catch (OutcomeUnknownException | IllegalStateException e) {
      // Who was interrupted, or may not wait because others' futures would, has it ended too.
      isClosed = !submitter.callAsync(ending(), ended -> ended).isCompletedExceptionally();
    } catch (MillraceException e) {
      // Nothing is lost: the lease ends with its time, or with the engine.
      LOG.debug("lease on a queue could not be ended at its close", e);
    }
  }

  private EndQueueLease ending() {
    return EndQueueLease.byHolder(queue(), token());
  }

  @Override
  public String toString() {
    return "QueueLease[queue=" + queue() + ", worker=" + worker() + ", token=" + token() + "]";
  }
}
