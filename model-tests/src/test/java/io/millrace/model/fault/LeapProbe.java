package io.millrace.model.fault;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A lease, a delay and an instant that lie around a leap of the wall clock. What comes of them is
 * measured on the monotonic clock, which nobody sets. For one thread.
 */
final class LeapProbe {

  private static final long LEASE_MS = 2_000;
  private static final long DELAY_MS = 1_000;
  private static final long INSTANT_MS = 1_000;

  /** A clock that is set farther is not believed at once. */
  private static final long LEAP_MS = 10_000;

  /** How late things may come on a machine that is busy. */
  private static final long LATE_MS = 10_000;

  /** The wall clock is read in whole milliseconds, at another moment than the monotonic one. */
  private static final long TICK_MS = 5;

  private static final ClaimOptions WAITING =
      ClaimOptions.by("waiting").waiting(Duration.ofMinutes(10));

  private final JobEngine engine;
  private final Ledger ledger;
  private final int number;
  private final boolean isWallLeading;
  private final long beganNs = System.nanoTime();
  private final Lease held;
  private final CompletableFuture<List<Lease>> other;
  private final CompletableFuture<Long> delayCameMs;
  private final CompletableFuture<Long> instantCameMs;

  LeapProbe(JobEngine engine, Ledger ledger, int number) {
    this.engine = engine;
    this.ledger = ledger;
    this.number = number;
    this.isWallLeading = engine.health().clockDivergence().toMillis() <= TICK_MS;
    JobQueue queue = queue("held");
    queue.enqueue(new byte[1]);
    ClaimOptions claim = ClaimOptions.by("holder").leaseDuration(Duration.ofMillis(LEASE_MS));
    this.held = queue.claim(claim).get(0);
    this.other = queue.claimAsync(WAITING);
    EnqueueOptions soon = EnqueueOptions.DEFAULT;
    this.delayCameMs = came("delay", soon.delay(Duration.ofMillis(DELAY_MS)));
    this.instantCameMs = came("instant", soon.visibleAt(Instant.now().plusMillis(INSTANT_MS)));
  }

  /** How long after now a job comes that is enqueued now. */
  private CompletableFuture<Long> came(String name, EnqueueOptions options) {
    JobQueue queue = queue(name);
    long enqueuedNs = System.nanoTime();
    queue.enqueue(new byte[1], options);
    return queue
        .claimAsync(WAITING)
        .thenApply(
            leases -> {
              long cameMs = sinceMs(enqueuedNs);
              leases.forEach(lease -> Dropped.result(lease.completeAsync()));
              return cameMs;
            });
  }

  /** A queue of its own: what comes later than it is waited for does not come to the next look. */
  private JobQueue queue(String name) {
    return engine.queue(name + "-" + number);
  }

  private static long sinceMs(long atNs) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - atNs);
  }

  /** Waits until all has come, and says what came at a wrong time. */
  void look(long leapMs) {
    String leap = "leap " + number + " by " + leapMs + " ms: ";
    require(leap + "delay", delayCameMs, DELAY_MS - TICK_MS, DELAY_MS + LATE_MS);
    boolean isKept = isWallLeading && (leapMs < 0 || leapMs > LEAP_MS);
    boolean isPassed = leapMs >= INSTANT_MS;
    long leastMs = isKept ? INSTANT_MS - TICK_MS : 0;
    long mostMs = (isPassed ? 0 : 2 * INSTANT_MS) + LATE_MS;
    require(leap + "instant", instantCameMs, leastMs, mostMs);
    if (number % 2 == 0) {
      requireHeld(leap);
    } else {
      requireOver(leap);
    }
  }

  private void require(String what, CompletableFuture<Long> cameMs, long leastMs, long mostMs) {
    Long ms = cameMs.completeOnTimeout(Long.MAX_VALUE, mostMs, TimeUnit.MILLISECONDS).join();
    if (ms < leastMs || ms > mostMs) {
      ledger.wrong(what + " came after " + ms + " ms, not " + leastMs + " to " + mostMs);
    }
  }

  private void requireHeld(String leap) {
    boolean isTaken = other.isDone();
    CompleteResult told = held.complete();
    // On a machine that is so busy the lease may really be over.
    boolean isInTime = sinceMs(beganNs) < LEASE_MS;
    if (isInTime && (isTaken || told != CompleteResult.COMPLETED)) {
      ledger.wrong(leap + "its holder was told " + told + ", another had it: " + isTaken);
    }
    endOther();
  }

  private void requireOver(String leap) {
    CompletableFuture<Long> overMs = other.thenApply(leases -> sinceMs(beganNs));
    require(leap + "expiry", overMs, LEASE_MS, LEASE_MS + LATE_MS);
    CompleteResult told = held.complete();
    if (told != CompleteResult.STALE_LEASE) {
      ledger.wrong(leap + "who was too late was told " + told);
    }
    endOther();
  }

  /** A job that is left would come to a later look. */
  private void endOther() {
    boolean wasWaiting = other.cancel(false);
    if (!wasWaiting) {
      other.join().forEach(lease -> Dropped.result(lease.complete()));
    }
  }
}
