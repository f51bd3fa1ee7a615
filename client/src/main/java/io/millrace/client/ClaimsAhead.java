package io.millrace.client;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.Lease;
import io.millrace.protocol.LeaseCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The jobs that a client has claimed before they are asked for, so that claims of a busy queue need
 * not wait for the server; see {@link ClientOptions#claimsAhead}. Any thread.
 */
final class ClaimsAhead {

  /** Enough for jobs of usual size; who waits for larger ones waits for more than the server. */
  private static final int BYTES_MAX = 1 << 20;

  private record Like(LeaseCalls.Claim claim, Optional<Durability> durability) {}

  private final int most;
  private final LongSupplier nowNs;
  private final Map<Like, JobsAhead> all = new ConcurrentHashMap<>();
  private final AtomicBoolean isTicking = new AtomicBoolean();
  private volatile boolean isClosed;

  /**
   * Creates a keeper of jobs.
   *
   * @param most how many to claim ahead of equal claims; 0 for none
   * @param nowNs the monotonic clock of this process
   */
  ClaimsAhead(int most, LongSupplier nowNs) {
    this.most = most;
    this.nowNs = nowNs;
  }

  /** Claims jobs: those that are there already, or else of the server. */
  CompletableFuture<List<Lease>> claim(Caller caller, LeaseCalls.Claim claim) {
    if (isClosed || !isFit(claim.options())) {
      return RemoteClaims.claim(caller, claim, leases -> leases);
    }
    caller.functions().check(claim);
    JobsAhead ahead =
        all.computeIfAbsent(new Like(claim, caller.durability()), like -> new JobsAhead(most));
    tick(caller);
    List<RemoteLease> taken = ahead.take(claim.options());
    CompletableFuture<List<Lease>> answer =
        taken.isEmpty()
            ? RemoteClaims.claim(caller, claim, leases -> ahead.granted(leases, claim.options()))
            : CompletableFuture.completedFuture(List.copyOf(taken));
    fill(caller, claim, ahead);
    return answer;
  }

  private boolean isFit(ClaimOptions options) {
    return most > 0
        && options.maxPerQueue().isEmpty()
        && options.maxWeight() == Integer.MAX_VALUE
        && options
            .leaseDuration()
            .filter(lease -> lease.compareTo(JobsAhead.LEASE_LEAST) < 0)
            .isEmpty();
  }

  private void fill(Caller caller, LeaseCalls.Claim claim, JobsAhead ahead) {
    int count = ahead.ask();
    if (count == 0) {
      return;
    }
    ClaimOptions options =
        claim
            .options()
            .max(count)
            .maxBytes(Math.min(claim.options().maxBytes(), BYTES_MAX))
            .waiting(Duration.ZERO);
    var unused =
        caller
            .later(
                new LeaseCalls.Claim(claim.queues(), claim.tenantsOf(), options),
                answer -> RemoteLease.granted(caller, answer.leases()))
            .handle(
                (leases, thrown) -> {
                  // What is wrong is told to who asks the server next.
                  List<RemoteLease> given = thrown == null ? leases : List.of();
                  RemoteClaims.handBack(caller, ahead.asked(given, nowNs.getAsLong()));
                  return null;
                });
  }

  private void tick(Caller caller) {
    if (isTicking.compareAndSet(false, true)) {
      tickLater(caller);
    }
  }

  private void tickLater(Caller caller) {
    CompletableFuture.delayedExecutor(JobsAhead.KEPT.toMillis(), TimeUnit.MILLISECONDS, caller::run)
        .execute(() -> next(caller));
  }

  private void next(Caller caller) {
    try {
      all.forEach((like, ahead) -> next(caller, like, ahead));
    } finally {
      if (all.isEmpty()) {
        isTicking.set(false);
      } else {
        tickLater(caller);
      }
    }
    if (!all.isEmpty()) {
      tick(caller); // somebody has come in between
    }
  }

  private void next(Caller caller, Like like, JobsAhead ahead) {
    if (ahead.isIdle()) {
      all.remove(like, ahead);
    } else {
      RemoteClaims.handBack(caller, ahead.next(nowNs.getAsLong()));
    }
  }

  /** Gives no more jobs. Those that are there are still held by the client, which releases them. */
  void close() {
    isClosed = true;
    all.values().forEach(JobsAhead::close);
  }
}
