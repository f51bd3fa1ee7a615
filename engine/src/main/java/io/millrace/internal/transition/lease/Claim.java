package io.millrace.internal.transition.lease;

import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Gates;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.ReadyJob;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.OutOfRoomException;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Waiting;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.queue.DueJobs;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The grant of leases on the next jobs: by priority, then ready sequence, across all queues named;
 * or by {@link NameTurns turns} across all tenants of names.
 *
 * <p>The answer waits for the commits that made the jobs ready, not for the leases' own rows: a
 * crash in between returns the jobs, as it would anyway, for their workers died too. Jobs that may
 * have caused an unclean stop are the exception: their leases are committed first, so that the
 * start counts.
 *
 * <p>If a claim has to pass over more jobs than one batch may walk over, its answer is {@link
 * #UNFINISHED} and it is to be made again: it begins where the walk ended.
 */
public final class Claim extends Waiting<List<Grant>> {

  /** The answer that nothing was found yet, and that the search goes on with the next batch. */
  public static final List<Grant> UNFINISHED = Collections.unmodifiableList(new ArrayList<>(0));

  /**
   * The answer that the lease on the queue through which the claim was made is over: nothing was
   * taken.
   */
  public static final List<Grant> STALE = Collections.unmodifiableList(new ArrayList<>(0));

  private final ClaimSpec spec;
  private final Cost cost;

  /**
   * True once the lease on the queue was found to be current at the time when the claim was made.
   */
  private boolean wasCurrent;

  /** The names whose tenants' turns the claim takes; null if it names queues. */
  private final @Nullable NameTurns turns;

  public Claim(ClaimSpec spec) {
    this.spec = spec;
    this.cost = Cost.LEASE_ROW.times(spec.max());
    this.turns = spec.tenantsOf().isEmpty() ? null : new NameTurns(spec);
  }

  @Override
  public void lookAgain(@Nullable QueueState queue) {
    if (turns != null) {
      turns.lookAgain(queue);
    }
  }

  @Override
  public ClaimSpec spec() {
    return spec;
  }

  @Override
  public Finding finding(List<Grant> answer) {
    if (!answer.isEmpty()) {
      return Finding.SOMETHING;
    }
    if (answer == STALE) {
      return Finding.NOTHING_EVER;
    }
    return answer == UNFINISHED ? Finding.UNFINISHED : Finding.NOTHING_YET;
  }

  @Override
  public List<Grant> nothing() {
    return List.of();
  }

  @Override
  public void nameGranted(List<Grant> answer, Granted granted) {
    for (int i = 0; i < answer.size(); i++) {
      granted.job(answer.get(i).lease());
    }
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return cost;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    List<QueueName> names = spec.queues();
    for (int i = 0; i < names.size(); i++) {
      Queues.declare(state, reads, names.get(i));
    }
    if (turns != null) {
      turns.declare(state, reads);
    }
  }

  /** Tells whether the batch has room for one lease at least. */
  public static boolean hasRoom(OpenBatch batch) {
    return batch.hasRoomFor(Cost.GRANT);
  }

  @Override
  public List<Grant> apply(OpenBatch batch) {
    if (spec.queueLease() != 0 && !isLeaseCurrent(batch)) {
      batch.answerAfter(batch.writes().number(), Durability.BUFFERED);
      return STALE;
    }
    if (!hasRoom(batch)) {
      throw new OutOfRoomException();
    }
    WorkingSet state = batch.state();
    List<Grant> grants = new ArrayList<>(Math.min(spec.max(), 16));
    AnswerTime answer = new AnswerTime();
    ServingOrder choice = choice(batch);
    int freeWeight = spec.maxWeight();
    long freeBytes = spec.maxBytes();
    while (grants.size() < spec.max()
        && state.leases().size() < state.rules().leaseCountMax()
        && hasRoom(batch)) {
      ReadyScan.Candidate best = choice.takeFirst(freeWeight);
      if (best == null) {
        break;
      }
      freeBytes -= best.ready().job().contentBytes();
      if (freeBytes < 0 && !grants.isEmpty()) {
        break;
      }
      if (!grants.isEmpty() && !LeaseRows.hasRoomToStart(batch, best.ready().job())) {
        break;
      }
      freeWeight -= best.ready().job().weight();
      grants.add(grant(batch, best, answer));
      choice.granted(best);
    }
    if (!grants.isEmpty() && isRowNeeded(state, grants)) {
      LeaseRows.putAll(batch);
    }
    if (grants.isEmpty() && choice.isUnfinished()) {
      return UNFINISHED;
    }
    if (grants.isEmpty()) {
      // What leaves nothing for it may be this very batch, which may yet be refused.
      batch.answerAfter(batch.writes().number(), Durability.BUFFERED);
    } else {
      if (state.queueLeases().isChanged()) {
        // The end of a lease on a queue is not told early, nor is what follows from it.
        answer.include(batch.writes().number(), Durability.BUFFERED);
      }
      answer.applyTo(batch);
    }
    return grants;
  }

  private ServingOrder choice(OpenBatch batch) {
    return turns != null ? turns.choice(batch) : new Heads(batch, served(batch), spec);
  }

  /**
   * Tells whether the lease on the queue was current when the claim was made and has not been ended
   * since. Its time may have passed meanwhile: a request that was made in time may still lengthen
   * it.
   */
  private boolean isLeaseCurrent(OpenBatch batch) {
    QueueLeaseEntry lease =
        batch.state().queueLeases().find(spec.queues().get(0), spec.queueLease());
    wasCurrent |= lease != null && !lease.isOver(batch.leaseNs());
    return lease != null && wasCurrent;
  }

  /**
   * Returns the queues that have ready jobs for the claim, after making due jobs ready that a mover
   * with a backlog has yet to reach. If the batch has no room for all of these, the rest is left to
   * the mover.
   *
   * @throws OutOfRoomException there was no room, and no queue has a ready job: the claim is left
   *     to another batch
   */
  private List<QueueState> served(OpenBatch batch) {
    List<QueueState> queues = new ArrayList<>(spec.queues().size());
    boolean wasCut = false;
    for (QueueName name : spec.queues()) {
      if (batch.state().queueLeases().isKeptFrom(name, spec.queueLease())) {
        continue;
      }
      QueueState queue = Queues.named(batch, name);
      queue.noteClaim(batch.nowMs());
      batch.state().unserved().claimed(name);
      wasCut |= !DueJobs.move(batch, queue, spec.max());
      if (isServed(queue)) {
        queues.add(queue);
      }
    }
    if (wasCut && queues.isEmpty()) {
      throw new OutOfRoomException();
    }
    return queues;
  }

  private static boolean isServed(QueueState queue) {
    return queue.exists() && !queue.record().paused() && queue.count(JobState.READY) > 0;
  }

  private Grant grant(OpenBatch batch, ReadyScan.Candidate candidate, AnswerTime answer) {
    WorkingSet state = batch.state();
    QueueState queue = candidate.queue();
    ReadyJob ready = candidate.take(spec.worker());
    JobRecord job = ready.job();
    LeaseEntry lease =
        new LeaseEntry(
            queue.number(),
            job,
            ready.sequence(),
            new LeaseEntry.Terms(
                state.takeSequence(),
                spec.worker(),
                job.attempts() + 1,
                batch.nowMs(),
                grantedMs(queue, job)));
    state.leases().grant(lease);
    state.rates().take(queue, lease, batch.context().steadyMs());
    LeaseRows.freeKey(batch, lease, job);
    queue.add(JobState.READY, -1);
    queue.add(JobState.LEASED, 1);
    queue.countClaimed(lease, job);
    Moves.wakeBarred(batch, queue, job.birth());
    wakeBarredByKey(batch, queue, lease);
    answer.include(batch, ready);
    return new Grant(queue.name(), lease, job, job.maxAttempts(queue.settings()));
  }

  /**
   * Wakes claims that are held up by a heavy job: it may be of a key that has no token any more.
   */
  private static void wakeBarredByKey(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    if (queue.passedOver().isEmpty()) {
      return;
    }
    Gates key = new Gates(lease.slotKey(), lease.engineRate());
    long nowMs = batch.context().steadyMs();
    if (batch.state().rates().nextTokenMs(queue, key, nowMs) > nowMs) {
      batch.wake(queue);
    }
  }

  /**
   * Tells whether the rows of the leases must be put with this batch: since the starts of suspects
   * count first, since something of the job ends with the lease, its time to live or its unique
   * key, or since too many rows wait.
   */
  private static boolean isRowNeeded(WorkingSet state, List<Grant> grants) {
    boolean isNeeded = state.rules().claimsWait() || state.leases().rowless().isAtLimit();
    for (Grant grant : grants) {
      LeaseEntry lease = grant.lease();
      isNeeded |= state.isSuspect(lease.birth()) || lease.holdings().timer() != null;
      isNeeded |= LeaseRows.freesKey(grant.job());
    }
    return isNeeded;
  }

  private long grantedMs(QueueState queue, JobRecord job) {
    if (spec.leaseMs() != 0) {
      return spec.leaseMs();
    }
    return job.leaseMs() != 0 ? job.leaseMs() : queue.settings().leaseDuration().toMillis();
  }

  /**
   * The next job of each queue; only that of a queue from which one was taken is looked for anew.
   */
  private static final class Heads implements ServingOrder {
    private final OpenBatch batch;
    private final List<QueueState> queues;
    private final ClaimSpec spec;
    private final ReadyScan.@Nullable Candidate[] heads;
    private final boolean[] isKnown;
    private final int @Nullable [] left;
    private int chosen;
    private boolean isUnfinished;

    Heads(OpenBatch batch, List<QueueState> queues, ClaimSpec spec) {
      this.batch = batch;
      this.queues = queues;
      this.spec = spec;
      this.heads = new ReadyScan.@Nullable Candidate[queues.size()];
      this.isKnown = new boolean[queues.size()];
      this.left = spec.maxPerQueue().isEmpty() ? null : left(queues, spec);
    }

    /** Returns how many more jobs may be taken of each queue. */
    private static int[] left(List<QueueState> queues, ClaimSpec spec) {
      int[] left = new int[queues.size()];
      for (int i = 0; i < left.length; i++) {
        left[i] = spec.maxPerQueue().getOrDefault(queues.get(i).name(), Integer.MAX_VALUE);
      }
      return left;
    }

    @Override
    public boolean isUnfinished() {
      return isUnfinished;
    }

    /**
     * Counts the job that was taken. A tenant that has no more leaves the ring at once: that need
     * not be found out when its turn comes.
     */
    @Override
    public void granted(ReadyScan.Candidate candidate) {
      if (left != null) {
        left[chosen]--;
      }
      QueueState queue = candidate.queue();
      TenantRing tenants = queue.shared().tenants();
      TenantRing.Tenant tenant = tenants == null ? null : tenants.find(queue.name());
      if (tenants != null && tenant != null && queue.count(JobState.READY) == 0) {
        tenants.leave(tenant);
      }
      EngineRate rate = candidate.ready().job().engineRate();
      if (rate != null) {
        forgetHeads(rate);
      }
    }

    /**
     * Forgets the next jobs of queues which may have counted on the token that the start has taken.
     */
    private void forgetHeads(EngineRate taken) {
      for (int i = 0; i < heads.length; i++) {
        ReadyScan.Candidate head = heads[i];
        EngineRate rate = head == null ? null : head.ready().job().engineRate();
        if (rate != null && Arrays.equals(rate.key(), taken.key())) {
          isKnown[i] = false;
        }
      }
    }

    /**
     * Returns the first of the queues' next jobs. The next of its queue must be looked for
     * afterwards.
     */
    @Override
    public ReadyScan.@Nullable Candidate takeFirst(int freeWeight) {
      int first = -1;
      ReadyScan.Candidate best = null;
      for (int i = 0; i < heads.length; i++) {
        ReadyScan.Candidate head = head(i, freeWeight);
        if (head != null && (best == null || head.isBefore(best))) {
          best = head;
          first = i;
        }
      }
      if (isUnfinished) {
        return null;
      }
      if (first >= 0) {
        isKnown[first] = false;
        chosen = first;
      }
      return best;
    }

    private ReadyScan.@Nullable Candidate head(int index, int freeWeight) {
      if (left != null && left[index] <= 0) {
        return null;
      }
      ReadyScan.Candidate known = heads[index];
      boolean isStale = known != null && known.ready().job().weight() > freeWeight;
      if (!isKnown[index] || isStale) {
        ReadyScan scan = new ReadyScan(batch, queues.get(index), queues, spec);
        heads[index] = scan.next(freeWeight);
        isUnfinished |= scan.isUnfinished();
        isKnown[index] = true;
      }
      return heads[index];
    }
  }

  /** The commits that the answer must wait for. */
  private static final class AnswerTime {
    private long commit;
    private long syncedCommit;

    void include(OpenBatch batch, ReadyJob ready) {
      include(ready.readyCommit(), ready.level());
      if (batch.state().rules().claimsWait() || batch.state().isSuspect(ready.job().birth())) {
        include(batch.writes().number(), batch.level());
      }
    }

    private void include(long needed, Durability level) {
      commit = Math.max(commit, needed);
      if (level == Durability.SYNCED) {
        syncedCommit = Math.max(syncedCommit, needed);
      }
    }

    /** Lets the answer wait for these commits. Those that are synced already need no other sync. */
    void applyTo(OpenBatch batch) {
      boolean isSyncOver = syncedCommit <= batch.context().syncs().syncedCommit();
      batch.answerAfter(commit, isSyncOver ? Durability.BUFFERED : Durability.SYNCED);
    }
  }
}
