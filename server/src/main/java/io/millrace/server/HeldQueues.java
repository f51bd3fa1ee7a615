package io.millrace.server;

import io.millrace.api.NotDoneException;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.protocol.Granted;
import io.millrace.protocol.QueueCalls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases on whole queues that callers hold. They name a lease by its token, and the engine's
 * own handle of it is kept here. Any thread.
 */
final class HeldQueues {

  private final Map<Long, QueueLease> byToken = new ConcurrentHashMap<>();

  /** Returns the handlers of the calls on such leases. */
  List<Handler<?, ?>> handlers() {
    return List.of(
        Handler.giving(
            QueueCalls.LeaseQueue.class,
            Role.WORK,
            (queues, call) -> told(queues.leaseQueue(call.queue(), call.worker(), call.duration())),
            (queues, answer) -> takeBack(answer)),
        Handler.waiting(
            QueueCalls.ClaimLeased.class,
            Role.WORK,
            (queues, call) -> claim(call),
            HeldQueues::answer,
            (queues, answer) -> LeaseHandlers.release(queues, answer.leases())),
        Handler.blocking(
            QueueCalls.ExtendQueueLease.class,
            Role.WORK,
            (queues, call) ->
                new QueueCalls.ExtendQueueLease.Answer(
                    find(call.queue(), call.token())
                        .map(lease -> lease.extend(call.duration()))
                        .orElseGet(QueueExtendResult.StaleLease::new))),
        Handler.blocking(
            QueueCalls.CloseQueueLease.class,
            Role.WORK,
            (queues, call) -> {
              find(call.queue(), call.token()).ifPresent(this::close);
              return new QueueCalls.CloseQueueLease.Answer();
            }));
  }

  private QueueCalls.LeaseQueue.Answer told(QueueLeaseResult result) {
    if (result instanceof QueueLeaseResult.QueueLeased other) {
      return new QueueCalls.LeaseQueue.Leased(other.worker(), other.until());
    }
    QueueLease lease = ((QueueLeaseResult.Granted) result).queueLease();
    byToken.values().removeIf(held -> held.remaining().isZero());
    byToken.put(lease.token(), lease);
    return new QueueCalls.LeaseQueue.Granted(lease.token(), lease.remaining());
  }

  private CompletableFuture<QueueClaimResult> claim(QueueCalls.ClaimLeased call) {
    return find(call.queue(), call.token())
        .map(lease -> lease.claimAsync(call.options()))
        .orElseGet(() -> CompletableFuture.completedFuture(new QueueClaimResult.StaleLease()));
  }

  private static QueueCalls.ClaimLeased.Answer answer(QueueClaimResult result) {
    return result instanceof QueueClaimResult.Claimed claimed
        ? new QueueCalls.ClaimLeased.Answer(
            claimed.leases().stream().map(Granted::of).toList(), false)
        : new QueueCalls.ClaimLeased.Answer(List.of(), true);
  }

  private Optional<QueueLease> find(QueueName queue, long token) {
    return Optional.ofNullable(byToken.get(token)).filter(lease -> lease.queue().equals(queue));
  }

  /** Ends a lease that nobody received. This may be the thread of a connection, which cannot. */
  private void takeBack(QueueCalls.LeaseQueue.Answer answer) {
    if (answer instanceof QueueCalls.LeaseQueue.Granted granted) {
      Optional.ofNullable(byToken.get(granted.token()))
          .ifPresent(
              lease -> {
                var unused = CompletableFuture.runAsync(() -> close(lease));
              });
    }
  }

  /**
   * Ends a lease.
   *
   * @throws NotDoneException the queues refused that, and its holder has it still
   */
  private void close(QueueLease lease) {
    lease.close();
    if (!lease.remaining().isZero()) {
      throw new NotDoneException(
          "lease on the queue could not be ended, and ends with its time; close it again: queue="
              + lease.queue()
              + ", token="
              + lease.token());
    }
    byToken.remove(lease.token());
  }
}
