package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.TenantRing.Tenant;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.queue.DueJobs;
import io.millrace.internal.transition.queue.Queues;
import io.millrace.internal.transition.queue.WalkTenants;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a claim across all tenants of a name: round the ring of the tenants that have some,
 * the next job of each, and of one with a share as many as that in its turn.
 *
 * <p>A tenant whose jobs are not for this claim is passed over and keeps its place: the next claim
 * comes to it first. A tenant that has no ready job, is paused, is leased as a whole, or waits for
 * a token of a rate limit with all its jobs leaves the ring; it enters at the tail when that is
 * over.
 *
 * <p>A claim that finds nothing has looked at all. While it waits it looks again only at tenants
 * that were woken since, and at those whose places are behind all that it has seen ({@link Seen}).
 * Looks in vain count as rows that are walked over: a claim that has more of them to make than one
 * batch allows goes on with the next.
 */
final class TenantTurns implements ServingOrder {

  /** The most tenants that a claim which has a job already looks at in vain. */
  private static final int LOOKS_BEYOND = 64;

  /** The rows that a walk might have looked at while a queue is read into memory. */
  private static final int ROWS_PER_LOADING = 8;

  private final OpenBatch batch;
  private final ClaimSpec spec;
  private final TenantRing ring;
  private final Seen seen;
  private @Nullable Tenant woken;
  private @Nullable Tenant at;
  private boolean isFirst = true;
  private boolean isUnfinished;
  private int looksBeyond;

  /** Begins where the claim has looked last. */
  TenantTurns(OpenBatch batch, ClaimSpec spec, Seen seen) {
    WorkingSet state = batch.state();
    this.batch = batch;
    this.spec = spec;
    this.ring = state.tenants().ring(seen.queueName, batch.context().nowNs());
    this.seen = seen;
    ring.noteClaim(batch.nowMs());
    state.unserved().claimedAcrossTenants(seen.queueName);
    if (!WalkTenants.goOn(batch, ring)) {
      isUnfinished = true;
      return;
    }
    woken = seen.takeWoken(state, ring);
    if (seen.place == 0 && !seen.isDeclared) {
      // It was not known whose turns come next when the group's rows were wanted.
      seen.declare(state, batch.reads());
      batch.reads().fetch();
    }
    at = woken != null ? woken : ring.firstBehind(seen.place);
  }

  TenantRing ring() {
    return ring;
  }

  /**
   * The tenants at which a claim that waits has looked in vain. It is forgotten once the claim is
   * served.
   */
  static final class Seen {

    private final String queueName;
    private final int declaredMax;

    /**
     * The place up to which no tenant has anything for the claim but those that were woken since.
     */
    private long place;

    /** The number of batches that had never happened by the time when the place was true. */
    private int undoCount;

    private @Nullable QueueName wokenQueue;
    private boolean isDeclared;

    /**
     * Creates the memory of a claim that has seen nothing yet.
     *
     * @param declaredMax how many tenants are likely to be looked at by one claim
     */
    Seen(String queueName, int declaredMax) {
      this.queueName = queueName;
      this.declaredMax = declaredMax;
    }

    /** Wants the rows of the tenants whose turns come next, if they are not in memory. */
    void declare(WorkingSet state, RowReads reads) {
      TenantRing ring = state.tenants().find(queueName);
      isDeclared = ring != null && ring.isWhole();
      if (ring == null || !isDeclared) {
        return;
      }
      Tenant tenant = ring.first();
      for (int i = 0; i < declaredMax && tenant != null; i++) {
        Queues.declare(state, reads, tenant.queue());
        tenant = ring.next(tenant);
      }
    }

    /** Lets the claim look again at the queue, or at all tenants if it is null. */
    void lookAgain(@Nullable QueueState queue) {
      wokenQueue = queue == null ? null : queue.name();
      if (queue == null) {
        place = 0;
      }
    }

    private @Nullable Tenant takeWoken(WorkingSet state, TenantRing ring) {
      QueueName queue = wokenQueue;
      wokenQueue = null;
      if (undoCount != state.tenants().undoCount()) {
        undoCount = state.tenants().undoCount();
        place = 0;
      }
      Tenant tenant = queue == null ? null : ring.find(queue);
      return tenant != null && tenant.place() <= place ? tenant : null;
    }
  }

  @Override
  public boolean isUnfinished() {
    return isUnfinished;
  }

  @Override
  public ReadyScan.@Nullable Candidate takeFirst(int freeWeight) {
    while (at != null && freeWeight > 0 && !isUnfinished) {
      Tenant tenant = at;
      long place = tenant.place();
      Tenant next = behind(tenant);
      ReadyScan.Candidate candidate = look(tenant, freeWeight);
      if (candidate != null) {
        return candidate;
      }
      if (!isUnfinished) {
        passOver(tenant, place);
        lookOn(next != null ? next : ring.firstBehind(Math.max(place, seen.place)));
      }
    }
    return null;
  }

  private @Nullable Tenant behind(Tenant tenant) {
    return tenant == woken ? ring.firstBehind(seen.place) : ring.next(tenant);
  }

  /** Notes that the tenant has nothing for the claim at its place; it may be at the tail by now. */
  private void passOver(Tenant tenant, long place) {
    if (isFirst && tenant != woken) {
      seen.place = place;
    }
    if (tenant == woken) {
      woken = null;
    }
    batch.noteWalked();
  }

  private void lookOn(@Nullable Tenant next) {
    boolean mayWalk = batch.mayWalk();
    if (isFirst) {
      isUnfinished = next != null && !mayWalk;
    } else {
      mayWalk &= ++looksBeyond < LOOKS_BEYOND;
    }
    at = mayWalk ? next : null;
  }

  private ReadyScan.@Nullable Candidate look(Tenant tenant, int freeWeight) {
    QueueName name = tenant.queue();
    long place = tenant.place();
    QueueState queue = batch.state().queueLeases().isKeptFrom(name, 0) ? null : loaded(name);
    if (tenant.place() != place) {
      // It had nothing, and what has become due just now has taken it to the tail.
      return null;
    }
    if (queue == null || hasNothing(queue)) {
      ring.leave(tenant);
      return null;
    }
    ReadyScan scan = new ReadyScan(batch, queue, List.of(queue), spec);
    ReadyScan.Candidate candidate = scan.next(freeWeight);
    if (scan.isUnfinished()) {
      isUnfinished = true;
      if (tenant == woken) {
        seen.place = tenant.place() - 1;
      }
      return null;
    }
    if (candidate == null && batch.state().rates().isShut(queue, batch.context().steadyMs())) {
      ring.leave(tenant);
    }
    return candidate;
  }

  /** Tells whether the tenant has no turn until something of it changes. */
  private static boolean hasNothing(QueueState queue) {
    return !queue.exists() || queue.record().paused() || queue.count(JobState.READY) == 0;
  }

  /** Returns the queue; null if its rows are lost, for others have their turns all the same. */
  private @Nullable QueueState loaded(QueueName name) {
    QueueState known = batch.state().known(name);
    if (known == null || !known.isLoaded()) {
      for (int i = 0; i < ROWS_PER_LOADING; i++) {
        batch.noteWalked();
      }
    }
    try {
      QueueState queue = Queues.named(batch, name);
      DueJobs.move(batch, queue, spec.max());
      return queue;
    } catch (CorruptDataException e) {
      return null;
    }
  }

  /** Ends this tenant's turn. Others see it in the ring as it is from here on. */
  @Override
  public void granted(ReadyScan.Candidate candidate) {
    Tenant tenant = at;
    if (tenant == null) {
      throw new IllegalStateException("nothing was chosen");
    }
    isFirst = false;
    Tenant next = behind(tenant);
    QueueState queue = candidate.queue();
    long place = tenant.place();
    if (queue.count(JobState.READY) == 0) {
      ring.leave(tenant);
      at = next;
    } else {
      ring.served(tenant, queue.settings().share());
      at =
          tenant.place() == place
              ? tenant
              : next != null ? next : ring.firstBehind(Math.max(place, seen.place));
    }
    if (at != tenant && tenant == woken) {
      woken = null;
    }
  }
}
