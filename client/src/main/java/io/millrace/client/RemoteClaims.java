package io.millrace.client;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueName;
import io.millrace.calls.CallLimits;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.QueueCalls;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Claims, by future: what comes for somebody who does not want it any more goes back. */
final class RemoteClaims {

  private RemoteClaims() {}

  static CompletableFuture<List<Lease>> claim(
      Caller caller, List<QueueName> queues, ClaimOptions options) {
    CallLimits.claim(queues, options);
    return caller.ahead().claim(caller, new LeaseCalls.Claim(queues, List.of(), options));
  }

  static CompletableFuture<List<Lease>> claimAcrossTenants(
      Caller caller, List<String> queueNames, ClaimOptions options) {
    CallLimits.claimAcrossTenants(queueNames, options);
    return caller.ahead().claim(caller, new LeaseCalls.Claim(List.of(), queueNames, options));
  }

  /**
   * Claims of the server.
   *
   * @param told makes the leases that the caller gets of those that the server granted; it may wait
   */
  static CompletableFuture<List<Lease>> claim(
      Caller caller, LeaseCalls.Claim claim, UnaryOperator<List<RemoteLease>> told) {
    return caller.waiting(
        claim,
        answer -> List.copyOf(told.apply(RemoteLease.granted(caller, answer.leases()))),
        leases -> handBack(caller, leases));
  }

  /** Claims through a lease on a whole queue. */
  static CompletableFuture<QueueClaimResult> claim(Caller caller, QueueCalls.ClaimLeased claim) {
    return caller.waiting(
        claim,
        answer ->
            answer.isStale()
                ? new QueueClaimResult.StaleLease()
                : new QueueClaimResult.Claimed(
                    List.copyOf(RemoteLease.granted(caller, answer.leases()))),
        result -> {
          if (result instanceof QueueClaimResult.Claimed claimed) {
            handBack(caller, claimed.leases());
          }
        });
  }

  /** Hands jobs back that nobody wants; if that fails, their leases end with their time. */
  static void handBack(Caller caller, List<? extends Lease> leases) {
    var unused = new RemoteLeases(caller).release(List.copyOf(leases));
  }
}
