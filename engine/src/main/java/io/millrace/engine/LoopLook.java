package io.millrace.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.QueueSettings;
import io.millrace.internal.explain.EngineFacts.Claims;
import io.millrace.internal.explain.EngineFacts.HeldQueue;
import io.millrace.internal.explain.EngineFacts.Known;
import io.millrace.internal.explain.EngineFacts.Tokens;
import io.millrace.internal.explain.EngineFacts.Tokens.Owner;
import io.millrace.internal.explain.JobFacts;
import io.millrace.internal.explain.JobFacts.EngineLimit;
import io.millrace.internal.explain.JobFacts.Held;
import io.millrace.internal.explain.JobFacts.KeyHolder;
import io.millrace.internal.explain.JobFacts.Line;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.RateTable;
import io.millrace.internal.state.ReadyWindow;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A look into the working set at a job and at what holds it; changes nothing. For the loop's
 * thread, between two groups.
 */
final class LoopLook {

  /** The most claims that are looked at, of all that wait for a queue. */
  private static final int CLAIM_COUNT_MAX = 1_000;

  private final WorkingSet state;
  private final Now now;

  /**
   * The moment of the look.
   *
   * @param commit the newest batch
   * @param engineMs engine time
   * @param steadyMs steady time
   * @param leaseNs the lease clock
   */
  record Now(long commit, long engineMs, long steadyMs, long leaseNs) {}

  LoopLook(WorkingSet state, Now now) {
    this.state = state;
    this.now = now;
  }

  Known at(JobFacts job) {
    LeaseEntry lease = state.leases().get(job.birth());
    boolean isOfJob = lease != null && lease.jobId().equals(job.jobId());
    QueueState queue = queue(job);
    int leaseCountMax = state.rules().leaseCountMax();
    return new Known(
        now.commit(),
        lease == null || !isOfJob ? null : held(lease),
        lease == null || !isOfJob ? -1 : lease.readySequence(),
        leased(job),
        higher(queue, job.line()),
        queueLease(job),
        claims(queue, job),
        state.leases().size() >= leaseCountMax ? leaseCountMax : 0,
        tokens(queue, job));
  }

  /**
   * Returns the rate limit that has no token for the job, and when it will have one; null if none
   * holds the job back. Tokens are known of any queue.
   */
  private @Nullable Tokens tokens(@Nullable QueueState queue, JobFacts job) {
    Line line = job.line();
    if (line == null) {
      return null;
    }
    QueueSettings settings = queue != null && queue.isLoaded() ? queue.settings() : line.settings();
    RateTable rates = state.rates();
    long nowMs = now.steadyMs();
    long ofQueueMs = rates.lookMs(job.queue(), settings.rateLimit(), null, nowMs);
    byte[] slotKey = line.slotKey();
    long ofKeyMs =
        slotKey == null
            ? nowMs
            : rates.lookMs(job.queue(), settings.rateLimitPerKey(), slotKey, nowMs);
    EngineLimit limit = line.engineLimit();
    long ofEngineMs = limit == null ? nowMs : rates.lookMs(rate(limit), nowMs);
    long ofThisMs = Math.max(ofQueueMs, ofKeyMs);
    long waitMs = Math.max(ofThisMs, ofEngineMs) - nowMs;
    Owner ofThis = ofKeyMs > ofQueueMs ? Owner.CONCURRENCY_KEY : Owner.QUEUE;
    Owner owner = ofEngineMs > ofThisMs ? Owner.ENGINE : ofThis;
    return waitMs <= 0 ? null : new Tokens(now.engineMs() + waitMs, owner);
  }

  /**
   * Returns the job's queue; null if memory has nothing of it. A loaded queue is looked up without
   * being touched.
   */
  private @Nullable QueueState queue(JobFacts job) {
    QueueState loaded =
        JobAddress.of(job.jobId()).map(address -> state.queue(address.queue())).orElse(null);
    return loaded != null ? loaded : state.known(job.queue());
  }

  private static EngineRate rate(EngineLimit limit) {
    return new EngineRate(limit.key().getBytes(UTF_8), limit.limit());
  }

  /**
   * Describes a lease on the job. A lease that was granted just now begins to run when its holder
   * is told.
   */
  private Held held(LeaseEntry lease) {
    return new Held(
        lease.token(),
        lease.worker(),
        lease.attempt(),
        lease.startedAtMs(),
        lease.isTold() ? untilMs(lease.deadlineNs()) : now.engineMs() + lease.grantedMs(),
        lease.isCancelRequested());
  }

  private long untilMs(long deadlineNs) {
    return now.engineMs() + Nanos.toMs(deadlineNs - now.leaseNs());
  }

  private Set<Long> leased(JobFacts job) {
    LeaseTable leases = state.leases();
    Set<Long> leased = new HashSet<>();
    if (job.line() != null) {
      job.line().births().stream().filter(leases::isLeased).forEach(leased::add);
    }
    if (job.key() != null) {
      job.key().holders().stream()
          .map(KeyHolder::birth)
          .filter(leases::isLeased)
          .forEach(leased::add);
    }
    return leased;
  }

  private static long higher(@Nullable QueueState queue, @Nullable Line line) {
    if (queue == null || line == null || !queue.isLoaded()) {
      return -1;
    }
    long higher = 0;
    for (ReadyWindow window : queue.windows()) {
      higher += window.priority() > line.priority() ? window.readyCount() : 0;
    }
    return higher;
  }

  private @Nullable HeldQueue queueLease(JobFacts job) {
    QueueLeaseEntry lease = state.queueLeases().find(job.queue());
    return lease == null
        ? null
        : new HeldQueue(
            lease.worker(),
            lease.isTold() ? untilMs(lease.deadlineNs()) : now.engineMs() + lease.grantedMs());
  }

  /**
   * Describes the claims that wait for the job's queue. Claims across the tenants of a name wait
   * for queues that are not in memory, too.
   */
  private Claims claims(@Nullable QueueState queue, JobFacts job) {
    if (queue != null) {
      return claims(queue.waitingClaims(), queue.lastClaimMs(), job);
    }
    TenantRing tenants = state.tenants().find(job.queue().name());
    return tenants == null
        ? new Claims(isServed(job), 0, 0, 0, 0, 0)
        : claims(tenants.parkedClaims(), tenants.lastClaimMs(), job);
  }

  private Claims claims(Iterable<ParkedClaim> waiting, long lastClaimMs, JobFacts job) {
    int weight = job.weight();
    int looked = 0;
    int count = 0;
    int fitting = 0;
    int capacityMax = 0;
    int freeMax = 0;
    for (ParkedClaim claim : waiting) {
      if (looked++ == CLAIM_COUNT_MAX) {
        break;
      }
      ClaimSpec spec = claim.spec();
      if (!claim.isAbandoned() && !state.queueLeases().isKeptFrom(job.queue(), spec.queueLease())) {
        count++;
        capacityMax = Math.max(capacityMax, spec.capacity());
        if (spec.capacity() >= weight) {
          freeMax = Math.max(freeMax, spec.maxWeight());
          fitting += spec.maxWeight() >= weight ? 1 : 0;
        }
      }
    }
    return new Claims(isServed(job), count, fitting, capacityMax, freeMax, lastClaimMs);
  }

  private boolean isServed(JobFacts job) {
    return state.unserved().served().isServed(job.queue());
  }
}
