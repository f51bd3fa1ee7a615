package io.millrace.engine;

import io.millrace.api.ClaimOptions;
import io.millrace.api.QueueName;
import io.millrace.calls.CallLimits;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueLeaseEntry;
import java.time.Duration;
import java.util.List;

/** The terms of claims, made of what callers say. */
final class ClaimSpecs {

  private ClaimSpecs() {}

  static ClaimSpec claim(List<QueueName> queues, ClaimOptions options) {
    CallLimits.claim(queues, options);
    return new ClaimSpec(
        queues.size() == 1 ? List.of(queues.get(0)) : queues.stream().distinct().toList(),
        options.worker(),
        options.max(),
        options.leaseDuration().map(Duration::toMillis).orElse(0L),
        options.capacity(),
        options.maxWeight(),
        options.maxBytes(),
        options.maxPerQueue(),
        0,
        List.of());
  }

  /** Returns a claim across all tenants of the names. */
  static ClaimSpec claimAcrossTenants(List<String> queueNames, ClaimOptions options) {
    return claim(CallLimits.claimAcrossTenants(queueNames, options), options).acrossTenants();
  }

  /** Returns a claim by the holder of a lease on the whole queue. */
  static ClaimSpec claim(QueueLeaseEntry lease, ClaimOptions options) {
    return claim(List.of(lease.queue()), options).through(lease.token());
  }
}
