package io.millrace.engine;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CorruptDataException;
import io.millrace.api.Lease;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueName;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.Request;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Claims of callers. Hands back leases that a caller cannot be given any more. Any thread. */
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
   * Claims jobs, waiting for some if there are none. Returns none also if the thread is interrupted
   * while it waits.
   */
  List<Lease> claim(List<QueueName> queues, ClaimOptions options) {
    return delivered(granted(ClaimSpecs.claim(queues, options), options));
  }

  /** Claims jobs of the queue on which the caller holds a lease; see {@link #claim}. */
  QueueClaimResult claimThrough(QueueLeaseEntry lease, ClaimOptions options) {
    return through(granted(ClaimSpecs.claim(lease, options), options));
  }

  /** Claims jobs across all tenants of the names; see {@link #claim}. */
  List<Lease> claimAcrossTenants(List<String> queueNames, ClaimOptions options) {
    return delivered(granted(ClaimSpecs.claimAcrossTenants(queueNames, options), options));
  }

  private List<Grant> granted(ClaimSpec spec, ClaimOptions options) {
    Request<List<Grant>> request =
        Request.blocking(new Claim(spec), submitter.terms(options.waiting().toNanos()));
    submitter.submit(request);
    if (!submitter.await(request, options.waiting().toNanos())) {
      loop.forget(request);
      return List.of();
    }
    return request.answer();
  }

  private QueueClaimResult through(List<Grant> grants) {
    return grants == Claim.STALE
        ? new QueueClaimResult.StaleLease()
        : new QueueClaimResult.Claimed(delivered(grants));
  }

  /**
   * Returns the leases for these grants. If they cannot be handed over, which is not the fault of
   * their jobs, the jobs go back.
   */
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
      handBack(grants);
      throw e;
    }
  }

  private void handBack(List<Grant> grants) {
    loop.handBack(grants.stream().map(Grant::lease).toList());
  }

  CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions options) {
    return answerLater(ClaimSpecs.claim(queues, options), options, this::delivered);
  }

  /** Claims jobs across all tenants of the names by future; see {@link #claimAcrossTenants}. */
  CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      List<String> queueNames, ClaimOptions options) {
    return answerLater(
        ClaimSpecs.claimAcrossTenants(queueNames, options), options, this::delivered);
  }

  /**
   * Claims jobs by future of the queue on which the caller holds a lease; see {@link
   * #claimThrough}.
   */
  CompletableFuture<QueueClaimResult> claimThroughAsync(
      QueueLeaseEntry lease, ClaimOptions options) {
    return answerLater(ClaimSpecs.claim(lease, options), options, this::through);
  }

  /** The future of a claim, which knows the claim's request. */
  private static final class ClaimFuture<T> extends CompletableFuture<T> {
    private @Nullable Request<List<Grant>> request;
  }

  /** Ends the wait of a claim; a future that is not the engine's is cancelled. */
  void endWait(CompletableFuture<List<Lease>> claim) {
    if (claim.isDone()) {
      return;
    }
    if (claim instanceof ClaimFuture<?> ours && ours.request != null) {
      loop.endWait(ours.request);
    } else {
      claim.cancel(false);
    }
  }

  private <T> CompletableFuture<T> answerLater(
      ClaimSpec spec, ClaimOptions options, Function<List<Grant>, T> answer) {
    ClaimFuture<T> future = new ClaimFuture<>();
    Request<List<Grant>> request =
        Request.listening(
            new Claim(spec),
            submitter.terms(options.waiting().toNanos()),
            new Delivering<>(future, answer));
    future.request = request;
    future.whenComplete(
        (answered, thrown) -> {
          if (future.isCancelled() && request.abandon()) {
            loop.forget(request);
          }
        });
    submitter.submit(request, future);
    return future;
  }

  /** The listener that completes the future of a claim. */
  private final class Delivering<T> implements Request.Listener<List<Grant>> {
    private final CompletableFuture<T> future;
    private final Function<List<Grant>, T> answer;

    Delivering(CompletableFuture<T> future, Function<List<Grant>, T> answer) {
      this.future = future;
      this.answer = answer;
    }

    @Override
    public void answered(Request<List<Grant>> request) {
      List<Grant> grants;
      T answered;
      try {
        grants = request.answer();
        answered = answer.apply(grants);
      } catch (Throwable e) {
        future.completeExceptionally(e);
        return;
      }
      if (!future.complete(answered) && !grants.isEmpty()) {
        // Whoever cancelled the future wants none of them.
        handBack(grants);
      }
    }

    @Override
    public void failed(Throwable thrown) {
      future.completeExceptionally(thrown);
    }
  }
}
