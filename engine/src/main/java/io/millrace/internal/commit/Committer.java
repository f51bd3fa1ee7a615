package io.millrace.internal.commit;

import io.millrace.MillraceException;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.internal.measure.Gauges;
import io.millrace.internal.measure.Gauges.Gauge;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.upkeep.BatchSteps;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps that the loop takes with a group: carry it out, write it, sync it, answer it. Also what
 * is done when the store cannot.
 *
 * <p>A commit does, in this order: work that is due; claims that were cut off before; the requests;
 * unfinished claims; claims whose wait is over; tidying; rows of earlier leases. Then it gives
 * answers that need no new commit, writes, syncs if somebody needs that, and gives the other
 * answers.
 *
 * <p>Belongs to the loop's thread, except for {@link #poison()}, {@link #isFull()}, {@link
 * #warning()} and {@link #checkTakes}.
 */
final class Committer {

  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  /**
   * The mean of a random number in [0, 1). In place of one, it gives a wait the length without
   * jitter.
   */
  private static final double MIDDLE = 0.5;

  private final EngineOptions options;
  private final ReopenableStore store;
  private final WorkingSet state;
  private final EngineTime time;
  private final AnswerThread answerThread;
  private final EngineCondition condition;
  private final Fullness fullness;
  private final Setbacks setbacks;
  private final PendingAnswers pending;
  private final SyncTimes syncTimes;
  private final Outage outage = new Outage();
  private final SplittableRandom random;
  private final Recovery recovery;
  private final Settling settling;
  private final Poisoning poisoning;
  private final RequestRing ring;

  /**
   * The store operations of the group under way. One batch serves all groups, so that its room need
   * not be made anew.
   */
  private final WriteBatch writes = new WriteBatch(0);

  /** The keys of rows that could not be read and are still to be set aside. */
  private List<byte[]> corruptKeys = List.of();

  /** The state in which the store is left, for the log. */
  private String stop = "unclean";

  private int stepRows = OpenBatch.Context.stepRowsBeside(0);
  private boolean wasAtLeaseLimit;
  private boolean wasServingCut;

  Committer(
      EngineOptions options,
      ReopenableStore store,
      WorkingSet state,
      EngineTime time,
      RequestRing ring) {
    this.options = options;
    this.store = store;
    this.state = state;
    this.time = time;
    this.ring = ring;
    this.answerThread = ring.answerThread();
    this.condition = new EngineCondition(options, answerThread);
    this.fullness = new Fullness(time, condition, answerThread);
    this.setbacks = new Setbacks(state.leases(), time, condition, answerThread);
    this.pending = new PendingAnswers(state, time, answerThread);
    this.syncTimes = new SyncTimes(options, store, time, pending);
    OptionalLong seed = options.forTests().randomSeed();
    this.random =
        seed.isPresent() ? new SplittableRandom(seed.getAsLong()) : new SplittableRandom();
    this.recovery = new Recovery(options, store, state, time);
    this.settling = new Settling(store, time, outage);
    this.poisoning = new Poisoning(outage, condition, state, pending, answerThread);
  }

  EngineCondition condition() {
    return condition;
  }

  /** Sets the gauges that only the loop may count. Reads counters; walks over nothing. */
  void noteGauges() {
    Gauges gauges = store.recorder().gauges();
    gauges.set(Gauge.LEASES, state.leases().size());
    gauges.set(Gauge.PARKED_CLAIMS, state.parked().count());
    gauges.set(Gauge.WINDOW_BYTES, state.windowBytes());
    gauges.set(Gauge.RATE_BUCKETS, state.rates().size());
    gauges.set(Gauge.RATE_LIMITED_QUEUES, state.rates().waitingQueueCount());
    gauges.set(Gauge.TENANT_NAMES, state.tenants().size());
    gauges.set(Gauge.TENANT_TURNS, state.tenants().turnCount());
    gauges.set(Gauge.BROADCASTS, state.broadcasts().count());
  }

  /** Takes the store over. */
  void open() {
    recovery.open(this::batchOfOne).log("engine was opened", store);
    settling.opened();
  }

  /**
   * Refuses the waiting claims and leaves the store as the next owner is to find it, unless there
   * is an outage or another owner already.
   */
  void leave() {
    try {
      Parked.refuseAll(state, Refusals.closed(), answerThread);
      if (outage.isOver()) {
        recovery.leave(this::batchOfOne, pending.takeUnheld());
        tell(WakeUps.AFTER_WRITE);
        stop = "clean";
      }
    } catch (StoreFencedException e) {
      // Somebody else has it: there is nothing to leave to him.
      stop = "none of ours, another owner has the store";
      LOG.debug("the store was not left to its next owner, for it has one", e);
    }
  }

  /** Refuses all requests that still wait for a commit. May be called again. */
  void endCommits(RuntimeException why, List<Request<?>> group) {
    poisoning.refuseAll(why, group);
  }

  /** Fails all waits for the ends of jobs, for the engine is closed. May be called again. */
  void endWaits() {
    pending.endWaits(Refusals.closedBeforeTheEnd());
  }

  /** Closes the store. May be called again. */
  void closeStore() {
    try {
      store.store().close();
    } finally {
      LOG.info("engine was closed: location={}, stop={}", store.location(), stop);
    }
  }

  /** Opens the store again. Leases are honoured, unless another owner had the store meanwhile. */
  void reopen() {
    if (outage.isOver()) {
      condition.reopened();
      return;
    }
    List<LeaseEntry> untold = state.leases().untold();
    corruptKeys = List.of();
    Opened opened;
    try {
      store.reopen();
      if (outage.hasNeverHappened(store.store().lastCommit())) {
        // The batch under way never got there: leases that it ended are held again.
        state.undoBatch();
      }
      outage.outcomeKnown();
      opened = recovery.reopen(this::batchOfOne);
    } catch (RuntimeException | Error e) {
      // The next attempt must know them, too: it would honour leases that no holder was told of.
      state.leases().putBack(untold);
      condition.failed(e);
      if (Outage.isFenced(e)) {
        throw Refusals.notOwner(e);
      }
      throw e;
    }
    fullness.forget();
    poisoning.over();
    outage.end();
    condition.reopened();
    opened.log("engine was reopened", store);
    tell(WakeUps.AFTER_WRITE);
  }

  /** Returns a warning about the store for the operator, if there is one. For any thread. */
  Optional<String> warning() {
    return recovery.warning();
  }

  Optional<Throwable> poison() {
    return outage.cause();
  }

  boolean isFull() {
    return fullness.isFull();
  }

  /** Throws if the request cannot succeed now, before it enters the ring. For any thread. */
  void checkTakes(Transition<?> transition) {
    Optional<MillraceException> refusal = outage.refusal();
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    if (isFull() && transition.growth() == Transition.Growth.GROWS) {
      throw Refusals.full(null);
    }
  }

  /**
   * Hands back leases that never reached their claimers: the jobs go back without a counted
   * attempt, with the next batch that is written.
   */
  void handBack(List<LeaseEntry> leases) {
    pending.handBack(leases);
  }

  /** Removes a given-up claim from the waiting ones. */
  void forget(Request<?> request) {
    Parked.forget(state, request);
  }

  /** Ends the wait of a claim now; see {@link Parked#endWait}. */
  void endWait(Request<?> claim) {
    Parked.endWait(state, claim, time.nowNs());
  }

  /** Tells whether due work waits until the store has room. */
  boolean isDueWorkOff() {
    return fullness.isDueWorkOff();
  }

  /** Returns the nanoseconds until the committer itself has something to do. */
  long waitNs() {
    long waitNs = DueWork.NEVER;
    if (!outage.isOver()) {
      return waitNs;
    }
    if (syncTimes.isAwaited()) {
      return 0;
    }
    if (setbacks.restNs() > 0) {
      return setbacks.restNs();
    }
    boolean isUntidy = pending.hasUnheld() || !corruptKeys.isEmpty();
    boolean isUnderWay = isUntidy || wasServingCut || state.parked().hasUnfinished();
    if (isUnderWay && !isDueWorkOff()) {
      return 0;
    }
    waitNs = Math.min(waitNs, state.leases().rowless().dueInNs(time.nowNs()));
    ParkedClaim first = state.parked().first();
    if (first != null) {
      waitNs = Math.min(waitNs, first.deadlineNs() - time.nowNs());
    }
    if (isFull()) {
      waitNs = Math.min(waitNs, fullness.probeWaitNs());
    }
    return Math.min(waitNs, syncTimes.waitNs());
  }

  /** Wakes the remaining callers and lets the store settle, when there is nothing else to do. */
  void settle() {
    finishWaking();
    settling.settle();
  }

  void settleIfDue() {
    settling.settleIfDue();
  }

  /**
   * Carries a group out, together with due work, in one batch if it fits.
   *
   * @param operations the most store operations that the requests may need
   */
  void commit(List<Request<?>> requests, Upkeep upkeep, DueWork.DueTime now, int operations) {
    Optional<Throwable> cause = outage.cause();
    if (cause.isPresent()) {
      RuntimeException refusal = outage.refusalOf(cause.get());
      requests.forEach(request -> request.refuse(refusal, answerThread));
      return;
    }
    if (isFull() && fullness.probeWaitNs() <= 0) {
      fullness.probe(store);
    }
    stepRows = OpenBatch.Context.stepRowsBeside(operations);
    RestOfGroup rest = new RestOfGroup(requests, !isDueWorkOff());
    fullness.refuseGrowth(rest);
    do {
      commitOnce(rest, upkeep, now);
      poisoning.settled();
    } while (!rest.isDone());
  }

  /**
   * Makes a batch of the group's next requests, writes it and answers. If that fails, finds out
   * what cannot be in a batch.
   */
  private void commitOnce(RestOfGroup rest, Upkeep upkeep, DueWork.DueTime now) {
    WriteBatch.Reserve reserve = fullness.reserve();
    ViewSource view = new ViewSource(store.store());
    Group group = newGroup(reserve, view);
    Group.Untidy untidy = new Group.Untidy(pending.takeUnheld(), corruptKeys);
    Filled filled;
    try {
      try {
        filled = fill(group, rest, upkeep, now, untidy);
      } finally {
        view.requireOwned();
      }
      view.release();
      answerEarly(group);
      write(group);
    } catch (StoreFullException e) {
      takeBack(group, untidy, upkeep);
      fullness.refused(e, rest, reserve);
      if (rest.isDone()) {
        answerCommitted(group);
      }
      return;
    } catch (Group.BrokenException e) {
      takeBack(group, untidy, upkeep);
      forget(e.culprit());
      setbacks.refuse(e, rest);
      return;
    } catch (Group.SetbackException e) {
      takeBack(group, untidy, upkeep);
      // Rows that could not be set aside are forgotten, and found again when they are read again.
      corruptKeys = List.of();
      Optional<Upkeep> due = group.hasUpkeep() ? Optional.of(upkeep) : Optional.empty();
      setbacks.setBack(rest, due, e.reason());
      return;
    } catch (StoreFencedException e) {
      // Nothing of it happened, nor will: its requests are told so, and none that it may have.
      takeBack(group, untidy, upkeep);
      throw e;
    } catch (Throwable e) {
      // Whether these went back is as unknown as all the rest.
      pending.handBack(untidy.unheld());
      throw e;
    } finally {
      view.release();
    }
    // It is in the store: whatever fails from here on cannot take it back.
    setbacks.overcome();
    keep(filled.left());
    answerCommitted(group);
    rest.carriedOut(filled.requestCount());
  }

  private void keep(Group.Untidy left) {
    pending.handBack(left.unheld());
    corruptKeys = left.corruptKeys();
  }

  private Group newGroup(WriteBatch.Reserve reserve, ViewSource view) {
    writes.restart(store.store().lastCommit() + 1, reserve);
    OpenBatch.Context context =
        new OpenBatch.Context(
            options.forTests().spreadBackoffs() ? random::nextDouble : () -> MIDDLE,
            time.nowMs(),
            time.steadyMs(),
            time.nowNs(),
            new OpenBatch.Syncs(store.store().syncedCommit(), pending.syncedNeeded()),
            stepRows);
    state.beginBatch();
    OpenBatch batch = new OpenBatch(state, writes, view, context);
    Group group = new Group(state, time, batch, options.parkedClaimCountMax());
    poisoning.begun(group);
    return group;
  }

  /** The number of requests that a batch was made of, and the tidying that it had no room for. */
  private record Filled(int requestCount, Group.Untidy left) {}

  private Filled fill(
      Group group, RestOfGroup rest, Upkeep upkeep, DueWork.DueTime now, Group.Untidy untidy) {
    try {
      return filled(group, rest, upkeep, now, untidy);
    } catch (StoreException e) {
      // Nothing was written yet, so that a failed read leaves no doubt about what is stored.
      throw new Group.SetbackException(e);
    }
  }

  private Filled filled(
      Group group, RestOfGroup rest, Upkeep upkeep, DueWork.DueTime now, Group.Untidy untidy) {
    group.batch().beginUpkeep(time.now(), options.durability());
    BatchSteps.begin(group.batch());
    if (state.leases().rowless().isBeyondLimit() || setbacks.isForRowsAlone()) {
      group.seal(store.store());
      return new Filled(0, untidy);
    }
    if (rest.hasUpkeep()) {
      upkeep.step(now, group);
    }
    boolean isAtLimit = state.leases().size() >= state.rules().leaseCountMax();
    if (wasServingCut) {
      group.serveAll();
    }
    List<Request<?>> requests = rest.next();
    int count = group.applyAll(requests);
    // If a claim moved jobs on its way, the batch is not empty: that much is done the next time.
    boolean isStuck = count == 0 && !group.hasUpkeep() && writes.isEmpty();
    if (isStuck && !requests.isEmpty()) {
      throw new Group.SetbackException(Refusals.tooLarge(writes, state.rules().batch()));
    }
    if (wasAtLeaseLimit || isAtLimit) {
      group.serveAll();
    }
    if (state.parked().hasUnfinished()) {
      group.serveUnfinished();
    }
    group.endOverdue();
    group.serveWoken();
    Group.Untidy left = rest.hasUpkeep() ? group.tidy(untidy) : group.found(untidy);
    group.seal(store.store());
    wasAtLeaseLimit = state.leases().size() >= state.rules().leaseCountMax();
    wasServingCut = group.isServingCut();
    return new Filled(count, left);
  }

  /** Gives the answers that do not need this group's commit before that is written. */
  private void answerEarly(Group group) {
    if (group.batch().writes().isEmpty()) {
      // Nothing will be written: what was found holds as of the newest commit.
      long newest = store.store().lastCommit();
      group.resolved().forEach(request -> request.waitAtMostFor(newest));
    }
    pending.add(group.resolved());
    writes.want(syncTimes.wanted());
    noteGauges();
    tell(group.batch().writes().isEmpty() ? WakeUps.AFTER_WRITE : WakeUps.BEFORE_WRITE);
  }

  private void write(Group group) {
    if (!writes.isEmpty()) {
      store.write(writes, group.resolved().size());
      syncTimes.wrote(writes);
    }
    state.commitBatch(time.nowNs());
  }

  private void answerCommitted(Group group) {
    if (syncTimes.isDue(nextWriteSyncs(group))) {
      // Buffered answers do not wait for the sync of others.
      tell(WakeUps.BEFORE_WRITE);
      store.sync();
      time.advance(0);
    }
    pending.finishWaking();
    tell(WakeUps.AFTER_WRITE);
  }

  private void tell(int firstCount) {
    pending.tell(store.store().lastCommit(), store.store().syncedCommit(), firstCount);
  }

  /** Wakes all callers who have an answer. */
  void finishWaking() {
    pending.finishWaking();
  }

  /**
   * Tells whether the next batch, for which requests wait already, will make this one durable: one
   * flush for both. Only after a batch, so that requests that write nothing cannot put off the
   * others.
   */
  private boolean nextWriteSyncs(Group group) {
    return store.store().info().syncing() == StoreInfo.Syncing.WRITE_SYNCS_PREVIOUS
        && !isFull()
        && !group.batch().writes().isEmpty()
        && !ring.isEmpty();
  }

  /** Restores memory to what it was before a batch that never happened. */
  private void takeBack(Group group, Group.Untidy untidy, Upkeep upkeep) {
    group.undo();
    pending.dropUnanswered(group.resolved());
    pending.handBack(untidy.unheld());
    upkeep.restart();
  }

  /** Begins an outage in the batch under way; see {@link Poisoning#begin}. */
  void poison(Throwable cause, List<Request<?>> requests) {
    poisoning.begin(cause, writes.number(), requests);
  }

  /** Tells health and listeners of an outage if they could not be told when it began. */
  void tellOfOutage() {
    poisoning.tell();
  }

  /** Carries out one transition durably, alone in its batch; overdue LEASE rows go before it. */
  private <R> R batchOfOne(Transition<R> transition) {
    while (true) {
      ViewSource view = new ViewSource(store.store());
      try {
        Group group = newGroup(WriteBatch.Reserve.USE, view);
        group.batch().beginUpkeep(time.now(), Durability.SYNCED);
        BatchSteps.begin(group.batch());
        Optional<R> result = Optional.empty();
        if (!state.leases().rowless().isBeyondLimit()) {
          result = Optional.of(group.apply(transition));
          keep(group.found(new Group.Untidy(List.of(), corruptKeys)));
        }
        group.seal(store.store());
        view.release();
        write(group);
        if (result.isPresent()) {
          store.syncAll();
          return result.get();
        }
      } catch (Group.SetbackException e) {
        throw e.reason();
      } finally {
        view.release();
      }
    }
  }
}
