package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Change;
import io.millrace.internal.transition.Grant;
import io.millrace.internal.transition.LeaseRows;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the loop does with a group: carry it out, write it, sync it, answer it; and what it does
 * when the store cannot.
 *
 * <p>Steps of a commit: leases that the store has not heard of; work that is due; the requests;
 * claims whose wait is over; what is to be tidied. Then answers that need no new commit, then the
 * write, the sync if somebody needs it, and the others.
 *
 * <p>Belongs to the loop's thread, except for {@link #poison()}, {@link #isFull()} and {@link
 * #checkTakes}.
 */
final class Committer {

  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final long PROBE_NS = 1_000_000_000L;

  /**
   * Room in a batch for what the engine adds to a request: counters, leases that wait for their
   * rows, the time.
   */
  private static final int OWN_OPERATIONS = 16_384;

  private final EngineOptions options;
  private final StoreHandle store;
  private final WorkingSet state;
  private final EngineTime time;
  private final AnswerThread answerThread;
  private final EngineCondition condition;
  private final PendingAnswers pending;
  private final SplittableRandom random;
  private final Recovery recovery;
  private final RequestRing ring;

  /** Of the group under way; one for all groups, so that its room need not be made anew. */
  private final WriteBatch batch = new WriteBatch(0);

  /** The batch under way when the engine was poisoned. */
  private long poisonedNumber;

  private final int batchOperationsMax;
  private long unsyncedSinceNs;
  private long probeAtNs;
  private boolean wasAtLeaseLimit;
  private boolean wasServingCut;
  private boolean isDueWorkOff;
  private volatile boolean isFull;
  private volatile @Nullable Throwable poison;

  Committer(
      EngineOptions options,
      StoreHandle store,
      WorkingSet state,
      EngineTime time,
      RequestRing ring) {
    this.options = options;
    this.store = store;
    this.batchOperationsMax = store.store().info().batchOperationsMax();
    this.state = state;
    this.time = time;
    this.ring = ring;
    this.answerThread = ring.answerThread();
    this.condition = new EngineCondition(options, answerThread);
    this.pending = new PendingAnswers(state.leases(), time, answerThread);
    this.random = options.randomSeed().map(SplittableRandom::new).orElseGet(SplittableRandom::new);
    this.recovery = new Recovery(options, store, state, time);
  }

  EngineCondition condition() {
    return condition;
  }

  /** Notes how much there is now of what only the loop may count. */
  void noteGauges() {
    store.recorder().gauges().set(state.leases().size(), state.parkedCount(), state.windowBytes());
  }

  /** Takes the store over. */
  void open() {
    recovery.open(this::batchOfOne);
  }

  /** Hands back all leases and closes the store. */
  void close() {
    for (ParkedClaim parked = state.firstParked(); parked != null; parked = state.firstParked()) {
      state.unpark(parked);
      ((Parked) parked).request().refuse(Refusals.closed(), answerThread);
    }
    try {
      if (poison == null) {
        recovery.leave(this::batchOfOne);
      }
    } finally {
      pending.failAll(
          new OutcomeUnknownException("engine was closed while the commit was under way"));
      store.store().close();
    }
  }

  /** Opens the store again; leases are honoured. */
  void reopen() {
    if (poison == null) {
      return;
    }
    List<LeaseEntry> untold = state.leases().untold();
    try {
      store.reopen();
      if (store.store().lastCommit() < poisonedNumber) {
        // What it ended is not ended: holders who were told go on, also those in no batch yet.
        state.leases().undoBatch();
      }
      poisonedNumber = 0;
      recovery.reopen(this::batchOfOne);
    } catch (RuntimeException | Error e) {
      // The next attempt must still know who was not told, or it would honour their leases.
      state.leases().putBack(untold);
      condition.failed(e);
      throw e;
    }
    isFull = false;
    isDueWorkOff = false;
    poison = null;
    condition.reopened();
    LOG.info("engine was reopened: epoch={}", store.store().epoch());
  }

  Optional<Throwable> poison() {
    return Optional.ofNullable(poison);
  }

  boolean isFull() {
    return isFull;
  }

  /** Refuses at the door what cannot succeed. For any thread. */
  void checkTakes(Transition<?> transition) {
    Throwable cause = poison;
    if (cause != null) {
      throw Refusals.poisoned(cause);
    }
    if (isFull && transition.growth() == Transition.Growth.GROWS) {
      throw Refusals.full(null);
    }
  }

  /** Refuses at the door what no batch can hold. For any thread. */
  void checkFits(Transition<?> transition) {
    int most = batchOperationsMax - OWN_OPERATIONS;
    if (transition.operationCountMax() > most) {
      throw Refusals.tooLarge(transition.operationCountMax(), most);
    }
  }

  /** A request that takes more than half of a batch has it to itself. */
  private boolean isAlone(List<Request<?>> requests) {
    return requests.size() == 1
        && requests.get(0).transition().operationCountMax() > batchOperationsMax / 2;
  }

  /** Nobody got these leases: they go back, uncounted, with the next batch that is written. */
  void handBack(List<Grant> grants) {
    pending.handBack(grants);
  }

  /** A claim that waits is given up. */
  void forget(Request<?> request) {
    state.parkedClaims().stream()
        .filter(parked -> ((Parked) parked).request() == request)
        .findFirst()
        .ifPresent(state::unpark);
  }

  /** Whether not even the reserve had room for what is due; it waits for the next probe. */
  boolean isDueWorkOff() {
    return isDueWorkOff;
  }

  /** How long until the committer itself has something to do. */
  long waitNs() {
    long waitNs = DueWork.NEVER;
    if (poison != null) {
      return waitNs;
    }
    boolean canHandBack = pending.hasUntold() && !isDueWorkOff;
    if (canHandBack || wasServingCut || pending.syncedNeeded() > store.store().syncedCommit()) {
      return 0;
    }
    waitNs = Math.min(waitNs, state.leases().rowsDueInNs(time.nowNs()));
    ParkedClaim first = state.firstParked();
    if (first != null) {
      waitNs = Math.min(waitNs, first.deadlineNs() - time.nowNs());
    }
    if (isFull) {
      waitNs = Math.min(waitNs, probeAtNs - time.nowNs());
    }
    if (store.hasUnsynced()) {
      long intervalNs = options.bufferedSyncInterval().toNanos();
      waitNs = Math.min(waitNs, unsyncedSinceNs + intervalNs - time.nowNs());
    }
    return waitNs;
  }

  /** There is nothing to do but what the store does for itself. */
  void settle() {
    finishWaking();
    if (poison == null) {
      store.store().settle();
    }
  }

  /** Carries a group out, together with what is due. */
  void commit(List<Request<?>> requests, List<DueWork> dueWork, DueWork.DueTime now) {
    Throwable cause = poison;
    if (cause != null) {
      requests.forEach(request -> request.refuse(Refusals.poisoned(cause), answerThread));
      return;
    }
    if (isFull && probeAtNs - time.nowNs() <= 0) {
      probe();
    }
    List<Request<?>> left = new ArrayList<>(requests);
    if (isFull) {
      refuse(left, Transition.Growth.GROWS, Refusals.full(null));
      left.removeIf(Request::isAnswered);
    }
    while (!commitOnce(left, dueWork, now)) {
      left.removeIf(Request::isAnswered);
    }
  }

  /**
   * Answers false if the group must be tried again without the requests that were answered
   * meanwhile.
   */
  private boolean commitOnce(
      List<Request<?>> requests, List<DueWork> dueWork, DueWork.DueTime now) {
    WriteBatch.Reserve reserve = isFull ? WriteBatch.Reserve.USE : WriteBatch.Reserve.KEEP;
    List<Grant> untold = pending.takeUntold();
    ViewSource view = new ViewSource(store.store());
    try {
      Group group = newGroup(reserve, view);
      try {
        fill(group, requests, dueWork, now, untold);
      } catch (Group.BrokenException e) {
        LOG.error("a request failed in the middle and was taken back", e.getCause());
        condition.failed(e.getCause());
        takeBack(group, untold, dueWork);
        e.culprit().resolveFailure((RuntimeException) e.getCause());
        e.culprit().tell(answerThread);
        return false;
      } catch (Throwable e) {
        // Claims that waited and are resolved are nowhere else: the poisoning must find them.
        pending.add(group.resolved());
        throw e;
      }
      view.release();
      answerEarly(group);
      try {
        write(group);
      } catch (StoreFullException e) {
        takeBack(group, untold, dueWork);
        becomeFull(e, requests, reserve);
        if (reserve == WriteBatch.Reserve.KEEP) {
          return false;
        }
      }
      answerCommitted(group);
      return true;
    } catch (Throwable e) {
      // Whether these went back is as unknown as all the rest.
      pending.handBack(untold);
      throw e;
    } finally {
      view.release();
    }
  }

  private Group newGroup(WriteBatch.Reserve reserve, ViewSource view) {
    batch.restart(store.store().lastCommit() + 1, reserve);
    Change.Sources sources =
        new Change.Sources(
            random::nextDouble,
            time.nowMs(),
            time.steadyMs(),
            time.nowNs(),
            new Change.Syncs(store.store().syncedCommit(), pending.syncedNeeded()));
    state.leases().beginBatch();
    int operationCountMax = store.store().info().batchOperationsMax() / 4 * 3;
    Change change = new Change(state, batch, view, sources, operationCountMax);
    return new Group(state, time, change, view, options.parkedClaimCountMax());
  }

  private void fill(
      Group group,
      List<Request<?>> requests,
      List<DueWork> dueWork,
      DueWork.DueTime now,
      List<Grant> untold) {
    group.change().begin(time.now(), options.durability());
    LeaseRows.rewriteUnwritten(group.change());
    boolean hasDueWork = !isDueWorkOff && !isAlone(requests);
    for (DueWork work : dueWork) {
      if (hasDueWork && work.waitNs(now) <= 0) {
        work.step(now, group);
      }
    }
    boolean isAtLimit = state.leases().size() >= state.rules().leaseCountMax();
    group.applyAll(requests);
    if (wasAtLeaseLimit || isAtLimit || wasServingCut) {
      group.serveAll();
    }
    group.endOverdue();
    group.tidy(untold);
    group.change().finish();
    wasAtLeaseLimit = state.leases().size() >= state.rules().leaseCountMax();
    wasServingCut = group.isServingCut();
  }

  /** Answers that need nothing of this group's commit go out before it. */
  private void answerEarly(Group group) {
    if (group.change().batch().isEmpty()) {
      // Nothing will be written: what was found holds as of the newest commit.
      long newest = store.store().lastCommit();
      group.resolved().forEach(request -> request.waitAtMostFor(newest));
    }
    pending.add(group.resolved());
    noteGauges();
    tell(group.change().batch().isEmpty() ? WakeUps.AFTER_WRITE : WakeUps.BEFORE_WRITE);
  }

  private void write(Group group) {
    if (!batch.isEmpty()) {
      batch.put(MetaKeys.TIME, new MetaRecords.Time(time.nowMs(), time.steadyMs()).encode());
      store.write(batch, group.resolved().size());
      if (store.store().syncedCommit() == batch.number() - 1) {
        unsyncedSinceNs = time.nowNs();
      }
    }
    state.leases().commitBatch(time.nowNs());
    state.tally().commitBatch();
  }

  private void answerCommitted(Group group) {
    long synced = store.store().syncedCommit();
    boolean isOverdue =
        store.hasUnsynced()
            && time.nowNs() - unsyncedSinceNs >= options.bufferedSyncInterval().toNanos();
    boolean isNeeded = pending.syncedNeeded() > synced && !nextWriteSyncs(group);
    if (isNeeded || isOverdue) {
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
   * Whether the next batch, for which requests wait already, will make this one durable: a flush
   * for both. Only after a batch, so that requests that write nothing cannot put off the others.
   */
  private boolean nextWriteSyncs(Group group) {
    return store.store().info().syncing() == StoreInfo.Syncing.WRITE_SYNCS_PREVIOUS
        && !isFull
        && !group.change().batch().isEmpty()
        && !ring.isEmpty();
  }

  /** The batch never happened: memory is as before. */
  private void takeBack(Group group, List<Grant> untold, List<DueWork> dueWork) {
    group.undo();
    pending.dropUnanswered(group.resolved());
    pending.handBack(untold);
    dueWork.forEach(DueWork::restart);
  }

  /**
   * The store refused the batch. Those that grow it are told; with the reserve, the others are
   * tried once more.
   */
  private void becomeFull(
      StoreFullException cause, List<Request<?>> requests, WriteBatch.Reserve reserve) {
    if (!isFull) {
      LOG.warn(
          "store is full: only what frees something is carried out until there is room", cause);
      condition.full(cause);
    }
    isFull = true;
    probeAtNs = time.nowNs() + PROBE_NS;
    isDueWorkOff = reserve == WriteBatch.Reserve.USE;
    refuse(requests, Transition.Growth.GROWS, Refusals.full(cause));
    if (reserve == WriteBatch.Reserve.USE) {
      refuse(requests, Transition.Growth.FREES, Refusals.full(cause));
    }
  }

  private void refuse(List<Request<?>> requests, Transition.Growth growth, StoreFullException why) {
    for (Request<?> request : requests) {
      if (request.transition().growth() == growth && !request.isAnswered()) {
        request.refuse(why, answerThread);
      }
    }
  }

  /** Looks whether there is room again. */
  private void probe() {
    probeAtNs = time.nowNs() + PROBE_NS;
    isDueWorkOff = false;
    WriteBatch probe = new WriteBatch(store.store().lastCommit() + 1);
    probe.put(MetaKeys.TIME, new MetaRecords.Time(time.nowMs(), time.steadyMs()).encode());
    try {
      store.write(probe, 0);
      isFull = false;
      condition.roomAgain();
      LOG.info("store has room again");
    } catch (StoreFullException e) {
      LOG.debug("store is still full", e);
    }
  }

  /**
   * What is on disk is unknown from here on: everybody who waits is told, and nothing is changed
   * any more.
   */
  void poison(Throwable cause, List<Request<?>> requests) {
    LOG.error("engine is poisoned: what is stored is unknown until it is reopened", cause);
    poison = cause;
    poisonedNumber = batch.number();
    condition.poisoned(cause);
    OutcomeUnknownException unknown =
        new OutcomeUnknownException(
            "outcome is unknown: the store failed during the commit; reopen the engine and look",
            cause);
    pending.failAll(unknown);
    for (Request<?> request : requests) {
      if (!request.isAnswered()) {
        request.refuse(unknown, answerThread);
      }
    }
    for (ParkedClaim parked = state.firstParked(); parked != null; parked = state.firstParked()) {
      state.unpark(parked);
      ((Parked) parked).request().refuse(Refusals.poisoned(cause), answerThread);
    }
  }

  /** Carries out one transition as a batch of its own and makes it durable. */
  private <R> R batchOfOne(Transition<R> transition) {
    R result;
    ViewSource view = new ViewSource(store.store());
    try {
      Group group = newGroup(WriteBatch.Reserve.USE, view);
      group.change().begin(time.now(), Durability.SYNCED);
      LeaseRows.rewriteUnwritten(group.change());
      result = group.apply(transition);
      group.tidy(List.of());
      group.change().finish();
      view.release();
      write(group);
    } finally {
      view.release();
    }
    store.sync();
    return result;
  }
}
