package io.millrace.client;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueName;
import io.millrace.calls.CallLimits;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.QueueCalls;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Claims, by future: what comes for somebody who does not want it any more goes back. */
final class RemoteClaims {

  private RemoteClaims() {}

  static CompletableFuture<List<Lease>> claim(
      Caller caller, List<QueueName> queues, ClaimOptions options) {
    CallLimits.claim(queues, options);
    return claim(caller, new LeaseCalls.Claim(queues, List.of(), options));
  }

  static CompletableFuture<List<Lease>> claimAcrossTenants(
      Caller caller, List<String> queueNames, ClaimOptions options) {
    CallLimits.claimAcrossTenants(queueNames, options);
    return claim(caller, new LeaseCalls.Claim(List.of(), queueNames, options));
  }

  private static CompletableFuture<List<Lease>> claim(Caller caller, LeaseCalls.Claim claim) {
    return caller.waiting(
        claim,
        answer -> RemoteLease.granted(caller, answer.leases()),
        leases -> handBack(caller, leases));
  }

  /** Claims through a lease on a whole queue. */
  static CompletableFuture<QueueClaimResult> claim(Caller caller, QueueCalls.ClaimLeased claim) {
    return caller.waiting(
        claim,
        answer ->
            answer.isStale()
                ? new QueueClaimResult.StaleLease()
                : new QueueClaimResult.Claimed(RemoteLease.granted(caller, answer.leases())),
        result -> {
          if (result instanceof QueueClaimResult.Claimed claimed) {
            handBack(caller, claimed.leases());
          }
        });
  }

  /** Hands jobs back that nobody wants; if that fails, their leases end with their time. */
  private static void handBack(Caller caller, List<Lease> leases) {
    if (!leases.isEmpty()) {
      List<LeaseRef> refs = leases.stream().map(LeaseRef::of).toList();
      var unused =
          caller.later(
              new LeaseCalls.Release(refs, Optional.empty(), Optional.empty()), answer -> answer);
    }
  }
}
