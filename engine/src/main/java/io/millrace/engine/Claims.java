package io.millrace.engine;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CorruptDataException;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.Request;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes leases for callers, and hands back those that a caller cannot be given any more. Any
 * thread.
 */
final class Claims {

  private final CommitLoop loop;
  private final Submitter submitter;
  private final LeaseDelivery delivery;

  Claims(CommitLoop loop, Submitter submitter, LeaseDelivery delivery) {
    this.loop = loop;
    this.submitter = submitter;
    this.delivery = delivery;
  }

  /**
   * Takes jobs, waiting for some if there are none; empty also if the thread is interrupted while
   * waiting.
   */
  List<Lease> claim(List<QueueName> queues, ClaimOptions options) {
    Claim claim = new Claim(CallLimits.claim(queues, options));
    Request<List<Grant>> request =
        Request.blocking(claim, submitter.terms(options.waiting().toNanos()));
    loop.submit(request);
    if (!submitter.await(request, options.waiting().toNanos())) {
      loop.forget(request);
      return List.of();
    }
    return delivered(request.answer());
  }

  /** If leases cannot be handed over, that is not the fault of their jobs: these go back. */
  private List<Lease> delivered(List<Grant> grants) {
    try {
      List<Lease> leases = new ArrayList<>(grants.size());
      for (Grant grant : delivery.whole(grants)) {
        leases.add(LeaseHandle.granted(submitter, delivery, grant));
      }
      return leases;
    } catch (CorruptDataException e) {
      // These jobs are being set aside.
      throw e;
    } catch (Throwable e) {
      loop.handBack(grants);
      throw e;
    }
  }

  CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions options) {
    Claim claim = new Claim(CallLimits.claim(queues, options));
    CompletableFuture<List<Lease>> future = new CompletableFuture<>();
    Request<List<Grant>> request =
        Request.listening(
            claim,
            submitter.terms(options.waiting().toNanos()),
            answered -> complete(future, answered));
    future.whenComplete(
        (leases, thrown) -> {
          if (future.isCancelled() && request.abandon()) {
            loop.forget(request);
          }
        });
    submitter.submit(request, future);
    return future;
  }

  private void complete(CompletableFuture<List<Lease>> future, Request<List<Grant>> request) {
    List<Grant> grants;
    List<Lease> leases;
    try {
      grants = request.answer();
      leases = delivered(grants);
    } catch (Throwable e) {
      future.completeExceptionally(e);
      return;
    }
    if (!future.complete(leases) && !leases.isEmpty()) {
      // Whoever cancelled the future wants none of them.
      loop.handBack(grants);
    }
  }
}
