package io.millrace.client;

import io.millrace.api.ClaimOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The jobs that were claimed ahead of equal claims, oldest first, and the rate at which such claims
 * take jobs, from which follows how many are worth having. Any thread.
 */
final class JobsAhead {

  /**
   * The time for which a job is kept for the next claim; also the length of an interval of the
   * rate.
   */
  static final Duration KEPT = Duration.ofMillis(100);

  /** The shortest lease that has enough of its time left when its job was kept. */
  static final Duration LEASE_LEAST = KEPT.multipliedBy(20);

  /** The longest wait for jobs on their way: whoever waits may be the thread that brings them. */
  private static final long ANSWER_MS_MAX = 1_000;

  /** The part of an interval for which there are to be jobs. */
  private static final int PART = 4;

  private record Ahead(RemoteLease lease, long sinceNs) {}

  private final int most;
  private final Deque<Ahead> jobs = new ArrayDeque<>();
  private CompletableFuture<Void> asking = CompletableFuture.completedFuture(null);
  private int takenCount;
  private int takenBefore;
  private boolean isDry;
  private boolean isUnfit;
  private boolean isClosed;

  /**
   * Creates an empty store of jobs.
   *
   * @param most how many it may have at a time
   */
  JobsAhead(int most) {
    this.most = most;
  }

  /** Takes jobs for a claim with these options; none if there are none. */
  synchronized List<RemoteLease> take(ClaimOptions options) {
    List<RemoteLease> taken = new ArrayList<>(Math.min(options.max(), jobs.size()));
    long bytes = 0;
    while (taken.size() < options.max() && !jobs.isEmpty()) {
      bytes += jobs.getFirst().lease.bytes();
      if (!taken.isEmpty() && bytes > options.maxBytes()) {
        break;
      }
      taken.add(jobs.removeFirst().lease);
    }
    takenCount += taken.size();
    return taken;
  }

  /**
   * Takes note of what the server gave to a claim itself. If that is nothing, the last jobs may
   * have come here, or be on their way, for which this waits: a queue must not look empty then.
   *
   * @return what the claim gets
   */
  List<RemoteLease> granted(List<RemoteLease> leases, ClaimOptions options) {
    if (leases.isEmpty()) {
      underWay().copy().completeOnTimeout(null, ANSWER_MS_MAX, TimeUnit.MILLISECONDS).join();
      return take(options);
    }
    count(leases.size());
    return leases;
  }

  private synchronized void count(int granted) {
    takenCount += granted;
    isDry = false;
  }

  private synchronized CompletableFuture<Void> underWay() {
    return asking;
  }

  /** Returns how many jobs to ask the server for now, which {@link #asked} is to tell of. */
  synchronized int ask() {
    int wanted = Math.min(most, Math.max(takenCount, takenBefore) / PART);
    if (!asking.isDone() || isDry || isUnfit || isClosed || 2 * jobs.size() >= wanted) {
      return 0;
    }
    asking = new CompletableFuture<>();
    return wanted - jobs.size();
  }

  /**
   * Takes what the server gave of the jobs that it was asked for.
   *
   * @return those that nobody shall have, to be handed back
   */
  List<RemoteLease> asked(List<RemoteLease> leases, long nowNs) {
    CompletableFuture<Void> asked = underWay();
    List<RemoteLease> unwanted = keep(leases, nowNs);
    asked.complete(null);
    return unwanted;
  }

  private synchronized List<RemoteLease> keep(List<RemoteLease> leases, long nowNs) {
    isDry = leases.isEmpty();
    isUnfit |= leases.stream().anyMatch(lease -> lease.remaining().compareTo(LEASE_LEAST) < 0);
    if (isClosed || isUnfit) {
      return leases;
    }
    leases.forEach(lease -> jobs.add(new Ahead(lease, nowNs)));
    return List.of();
  }

  /** Begins the next interval; returns the jobs that were kept for long enough. */
  synchronized List<RemoteLease> next(long nowNs) {
    takenBefore = takenCount;
    takenCount = 0;
    List<RemoteLease> old = new ArrayList<>();
    while (!jobs.isEmpty() && nowNs - jobs.getFirst().sinceNs >= KEPT.toNanos()) {
      old.add(jobs.removeFirst().lease);
    }
    return old;
  }

  /** Closes this if no claim was made for an interval and no job is there; tells whether it is. */
  synchronized boolean isIdle() {
    isClosed |= jobs.isEmpty() && asking.isDone() && takenCount == 0 && takenBefore == 0;
    return isClosed;
  }

  /** Keeps no more jobs. Those that are there are no longer given to anybody. */
  synchronized void close() {
    isClosed = true;
    jobs.clear();
    asking.complete(null);
  }
}
