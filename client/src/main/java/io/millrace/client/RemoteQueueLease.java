package io.millrace.client;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.options.Checks;
import io.millrace.protocol.QueueCalls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease on a queue that a server granted, as its holder sees it. */
final class RemoteQueueLease implements QueueLease {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteQueueLease.class);

  private final Caller caller;
  private final QueueName queue;
  private final String worker;
  private final long token;

  /** The moment when the lease ends, on the monotonic clock of this process. */
  private volatile long deadlineNs;

  private volatile boolean isClosed;

  private RemoteQueueLease(
      Caller caller, QueueName queue, String worker, QueueCalls.LeaseQueue.Granted granted) {
    this.caller = caller;
    this.queue = queue;
    this.worker = worker;
    this.token = granted.token();
    lasts(granted.remaining());
  }

  /** Leases a queue. */
  static QueueLeaseResult lease(Caller caller, QueueName queue, String worker, Duration duration) {
    Objects.requireNonNull(queue, "queue");
    Checks.text("worker", worker, 1, Limits.WORKER_BYTES_MAX);
    Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    CompletableFuture<QueueLeaseResult> leasing =
        caller.waiting(
            new QueueCalls.LeaseQueue(queue, worker, duration),
            answer -> result(caller, queue, worker, answer),
            unwanted -> unwanted.lease().ifPresent(QueueLease::close));
    try {
      return Caller.await(leasing);
    } catch (OutcomeUnknownException e) {
      leasing.cancel(false); // Nobody is to hold the queue.
      throw e;
    }
  }

  private static QueueLeaseResult result(
      Caller caller, QueueName queue, String worker, QueueCalls.LeaseQueue.Answer answer) {
    if (answer instanceof QueueCalls.LeaseQueue.Granted granted) {
      return new QueueLeaseResult.Granted(new RemoteQueueLease(caller, queue, worker, granted));
    }
    QueueCalls.LeaseQueue.Leased other = (QueueCalls.LeaseQueue.Leased) answer;
    return new QueueLeaseResult.QueueLeased(queue, other.worker(), other.until());
  }

  private void lasts(Duration remaining) {
    deadlineNs = caller.nowNs().getAsLong() + remaining.toNanos();
  }

  @Override
  public QueueName queue() {
    return queue;
  }

  @Override
  public String worker() {
    return worker;
  }

  @Override
  public long token() {
    return token;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadlineNs - caller.nowNs().getAsLong()));
  }

  @Override
  public QueueClaimResult claim(ClaimOptions options) {
    return Caller.awaitOrEnd(claimAsync(options), new QueueClaimResult.Claimed(List.of()));
  }

  @Override
  public CompletableFuture<QueueClaimResult> claimAsync(ClaimOptions options) {
    Objects.requireNonNull(options, "options");
    CompletableFuture<QueueClaimResult> claim =
        RemoteClaims.claim(caller, new QueueCalls.ClaimLeased(queue, token, options));
    claim.thenAccept(
        result -> {
          if (!result.isDone()) {
            lasts(Duration.ZERO);
          }
        });
    return claim;
  }

  @Override
  public QueueExtendResult extend(Duration duration) {
    Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    return Caller.await(
        caller.later(
            new QueueCalls.ExtendQueueLease(queue, token, duration),
            answer -> {
              QueueExtendResult result = answer.result();
              lasts(
                  result instanceof QueueExtendResult.Extended extended
                      ? extended.remaining()
                      : Duration.ZERO);
              return result;
            }));
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    CompletableFuture<Boolean> closing = closing();
    try {
      Caller.await(closing);
    } catch (MillraceException | IllegalStateException e) {
      // Who was interrupted, or may not wait here, has it ended too. Else nothing is lost: the
      // lease
      // ends with its time.
      LOG.debug("lease on a queue was closed without an answer", e);
    }
  }

  private CompletableFuture<Boolean> closing() {
    return caller.later(
        new QueueCalls.CloseQueueLease(queue, token),
        answer -> {
          isClosed = true;
          lasts(Duration.ZERO);
          return true;
        });
  }

  @Override
  public String toString() {
    return "QueueLease[queue=" + queue + ", worker=" + worker + ", token=" + token + "]";
  }
}
