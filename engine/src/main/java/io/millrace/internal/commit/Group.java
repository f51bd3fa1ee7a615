package io.millrace.internal.commit;

import io.millrace.MillraceException;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.HalfDoneException;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.OutOfRoomException;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.Waiting;
import io.millrace.internal.transition.Waiting.Finding;
import io.millrace.internal.transition.lease.HandBack;
import io.millrace.internal.transition.upkeep.BatchSteps;
import io.millrace.internal.transition.upkeep.Quarantine;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The making of one batch from one group of requests: everything between taking them up and
 * writing.
 *
 * <p>Each request says at most how much it adds, and is taken only if the batch has room for that;
 * the first of a batch in which nothing was due is tried in any case. Work that can be put off
 * takes no more than half of the batch.
 *
 * <p>Parked claims are served right after the request that made jobs ready for them, so that both
 * share the commit.
 */
final class Group implements DueWork.Steps {

  private final WorkingSet state;
  private final EngineTime time;
  private final OpenBatch batch;
  private final int parkedCountMax;
  private final List<Request<?>> resolved = new ArrayList<>();
  private final List<Parked<?>> served = new ArrayList<>();
  private final List<Parked<?>> parked = new ArrayList<>();
  private final List<ParkedClaim> resumed = new ArrayList<>(0);
  private boolean isServingCut;
  private boolean hasUpkeep;

  /** True if somebody waits for a commit though there may be nothing to store. */
  private boolean isGuarded;

  /** Creates an empty group. */
  Group(WorkingSet state, EngineTime time, OpenBatch batch, int parkedCountMax) {
    this.state = state;
    this.time = time;
    this.batch = batch;
    this.parkedCountMax = parkedCountMax;
    batch.keepWalk(state.parked().hasUnfinished());
  }

  /**
   * The failure of a request in the middle: its transition broke a rule of its own or could not
   * read what it needs, perhaps after it had begun to change state. Memory and batch are to be
   * taken back.
   */
  static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Request<?> culprit;
    private final RuntimeException reason;

    BrokenException(Request<?> culprit, RuntimeException reason) {
      super(reason);
      this.culprit = culprit;
      this.reason = reason;
    }

    Request<?> culprit() {
      return culprit;
    }

    RuntimeException reason() {
      return reason;
    }
  }

  /** The failure to make or write the batch as it is; one with less in it may succeed. */
  static final class SetbackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final RuntimeException reason;

    SetbackException(RuntimeException reason) {
      super(reason);
      this.reason = reason;
    }

    RuntimeException reason() {
      return reason;
    }
  }

  OpenBatch batch() {
    return batch;
  }

  /** Returns the requests that have an answer, in order. */
  List<Request<?>> resolved() {
    return resolved;
  }

  /**
   * Takes back the group, for its batch never happened. Claims that it served wait again, and those
   * that began to wait with it do not.
   */
  void undo() {
    state.undoBatch();
    for (Parked<?> claim : served) {
      if (!claim.request().isAnswered()) {
        state.park(claim, time.nowNs());
        state.parked().markUnfinished(claim);
      }
    }
    resumed.stream().filter(state.parked()::contains).forEach(state.parked()::markUnfinished);
    parked.forEach(state::unpark);
  }

  @Override
  public <R> R apply(Transition<R> transition) {
    hasUpkeep = true;
    RowReads reads = batch.reads();
    reads.forget();
    transition.declare(state, reads);
    reads.fetch();
    batch.beginUpkeep(time.now(), state.rules().durability());
    BatchSteps.before(batch, transition);
    R result = applied(transition);
    BatchSteps.after(batch, time.now());
    serveWoken();
    return result;
  }

  /** Carries out requests in order, each for itself, while there is room; returns how many. */
  int applyAll(List<Request<?>> requests) {
    RowReads reads = batch.reads();
    reads.forget();
    for (Request<?> request : requests) {
      request.transition().declare(state, reads);
    }
    reads.fetch();
    int count = 0;
    for (Request<?> request : requests) {
      boolean isFirst = count == 0 && !hasUpkeep && served.isEmpty();
      if (!request.isAbandoned() && !((isFirst || hasRoom(request)) && isApplied(request))) {
        break;
      }
      count++;
    }
    return count;
  }

  private boolean hasRoom(Request<?> request) {
    return batch.hasRoomForAnswers() && batch.hasRoomFor(request.transition().cost());
  }

  /**
   * Tells whether there is room for all that a claim asks for, or for half a batch if it asks for
   * more. With less room it would get fewer jobs than it could.
   */
  private boolean hasRoomToServe(Transition<?> claim) {
    BatchLimits limits = state.rules().batch();
    Cost cost = claim.cost();
    return batch.hasRoomFor(
        new Cost(
            Math.min(cost.operations(), limits.operationCountMax() / 2),
            Math.min(cost.bytes(), limits.bytesMax() / 2)));
  }

  /** Carries out a request; returns false if the batch turns out to have no room for it. */
  private <R> boolean isApplied(Request<R> request) {
    batch.begin(time.submitTime(request.submittedNs()), request.level());
    Transition<R> transition = request.transition();
    R result;
    try {
      BatchSteps.before(batch, transition);
      result = applied(transition);
    } catch (OutOfRoomException e) {
      return false;
    } catch (HalfDoneException e) {
      throw new BrokenException(request, e);
    } catch (MillraceException | IllegalArgumentException e) {
      fail(request, e);
      return true;
    } catch (RuntimeException e) {
      throw new BrokenException(request, e);
    }
    Finding finding = Finding.SOMETHING;
    if (transition instanceof Waiting<R> waiting) {
      finding = waiting.finding(result);
      if (waits(request, finding)) {
        park(request, waiting, finding);
        return true;
      }
    }
    request.resolve(result, guarded(finding), batch.answerLevel());
    resolved.add(request);
    BatchSteps.after(batch, time.now());
    serveWoken();
    return true;
  }

  /**
   * Returns the number of the commit that the answer waits for. If the store is shared this is the
   * current one, which is written for that alone if need be: memory and what was read may be
   * another owner's history by now, and only a commit proves that they are not. A claim that found
   * nothing needs no proof: its caller can only ask again.
   */
  private long guarded(Finding finding) {
    if (!state.rules().isShared() || finding != Finding.SOMETHING) {
      return batch.answerCommit();
    }
    isGuarded = true;
    return batch.writes().number();
  }

  /** Fails a request. What the failure says of a corrupt row needs proof as other answers do. */
  private void fail(Request<?> request, RuntimeException reason) {
    request.resolveFailure(reason);
    if (state.rules().isShared() && reason instanceof CorruptDataException) {
      isGuarded = true;
      request.failAfter(batch.writes().number());
    }
    resolved.add(request);
  }

  /**
   * Carries out a transition. It must add no more than it declared, for groups are filled by that.
   */
  private <R> R applied(Transition<R> transition) {
    Cost before = batch.declared();
    batch.carry(transition);
    R result = transition.apply(batch);
    // Only here: reckoning it up takes a walk over all that a large call names.
    assert isWithin(transition.cost(), before)
        : transition.getClass().getSimpleName()
            + " adds more than it declared: declared="
            + transition.cost()
            + ", before="
            + before
            + ", after="
            + batch.declared();
    return result;
  }

  private boolean isWithin(Cost declared, Cost before) {
    Cost after = batch.declared();
    return after.operations() - before.operations() <= declared.operations()
        && after.bytes() - before.bytes() <= declared.bytes();
  }

  private static boolean waits(Request<?> request, Finding finding) {
    return finding == Finding.UNFINISHED
        || (finding == Finding.NOTHING_YET && request.waitNs() > 0);
  }

  private <R> void park(Request<R> request, Waiting<R> transition, Finding finding) {
    if (state.parked().count() >= parkedCountMax) {
      request.resolveFailure(
          new EngineOverloadedException(
              "too many claims are waiting: parkedClaimCountMax="
                  + parkedCountMax
                  + "; nothing happened"));
      resolved.add(request);
      return;
    }
    long deadlineNs = request.submittedNs() + request.waitNs();
    Parked<R> waiting = new Parked<>(request, transition, deadlineNs, state.takeSequence());
    state.park(waiting, time.nowNs());
    parked.add(waiting);
    if (finding == Finding.UNFINISHED) {
      state.parked().markUnfinished(waiting);
    }
  }

  /**
   * Serves the waiting claims of queues that were woken. A served claim may wake others, for it
   * took what held them up.
   */
  void serveWoken() {
    List<QueueState> woken = batch.takeWoken();
    while (!woken.isEmpty()) {
      for (QueueState queue : woken) {
        serve(queue.waitingClaims(), queue);
      }
      woken = batch.takeWoken();
    }
  }

  /** Continues the claims that earlier batches did not finish. */
  void serveUnfinished() {
    batch.keepWalk(false);
    resumed.addAll(state.parked().takeUnfinished());
    for (ParkedClaim waiting : resumed) {
      Parked<?> claim = (Parked<?>) waiting;
      if (isServingCut) {
        state.parked().markUnfinished(claim);
      } else if (claim.isAbandoned() || isServed(claim)) {
        state.unpark(claim);
      }
    }
    serveWoken();
  }

  /** Serves all waiting claims, of any queue. */
  void serveAll() {
    serve(state.parked().all(), null);
  }

  /** Tells whether the batch became too large for all claims that could have been served. */
  boolean isServingCut() {
    return isServingCut;
  }

  /**
   * Serves waiting claims in their order, until the jobs of the given queue run out.
   *
   * @param only the queue; null for all
   */
  private void serve(Iterable<ParkedClaim> claims, @Nullable QueueState only) {
    List<Parked<?>> left = new ArrayList<>();
    for (ParkedClaim waiting : claims) {
      // A queue that is not loaded may have jobs: the first claim finds out.
      boolean isOver =
          only != null && only.isLoaded() && state.rates().hasNothing(only, time.steadyMs());
      if (isOver || state.leases().size() >= state.rules().leaseCountMax()) {
        break;
      }
      if (only != null
          && state.queueLeases().isKeptFrom(only.name(), waiting.spec().queueLease())) {
        continue;
      }
      Parked<?> claim = (Parked<?>) waiting;
      claim.transition().lookAgain(only);
      if (claim.isAbandoned() || isServed(claim)) {
        left.add(claim);
      }
      if (isServingCut) {
        break;
      }
    }
    left.forEach(state::unpark);
  }

  private <R> boolean isServed(Parked<R> claim) {
    if (!served.isEmpty() && !hasRoomToServe(claim.transition())) {
      isServingCut = true;
      return false;
    }
    batch.begin(time.now(), claim.request().level());
    R result;
    try {
      result = applied(claim.transition());
    } catch (OutOfRoomException e) {
      isServingCut = true;
      state.parked().markUnfinished(claim);
      return false;
    } catch (MillraceException e) {
      fail(claim.request(), e);
      served.add(claim);
      return true;
    } catch (RuntimeException e) {
      throw new BrokenException(claim.request(), e);
    }
    Finding finding = claim.transition().finding(result);
    if (finding == Finding.UNFINISHED) {
      state.parked().markUnfinished(claim);
      return false;
    }
    if (finding == Finding.NOTHING_YET && claim.deadlineNs() - time.nowNs() > 0) {
      return false;
    }
    claim.request().resolve(result, batch.answerCommit(), batch.answerLevel());
    resolved.add(claim.request());
    served.add(claim);
    return true;
  }

  /**
   * Ends the waits of claims whose time is up: they are answered with no jobs. Unfinished claims
   * wait on, for it is not yet known whether they find any.
   */
  void endOverdue() {
    List<Parked<?>> over = new ArrayList<>(0);
    for (ParkedClaim waiting : state.parked().all()) {
      if (waiting.deadlineNs() - time.nowNs() > 0) {
        break;
      }
      if (!state.parked().isUnfinished(waiting)) {
        over.add((Parked<?>) waiting);
      }
    }
    for (Parked<?> claim : over) {
      // Before it waits no longer: it must be on one of the lists whatever fails in between.
      claim.resolveInVain();
      resolved.add(claim.request());
      served.add(claim);
      state.unpark(claim);
    }
  }

  /**
   * Hands back leases that nobody was told of, and sets aside rows that could not be read. Returns
   * what there was no room for.
   *
   * @throws SetbackException tidying failed
   */
  Untidy tidy(Untidy before) {
    Untidy found = found(before);
    hasUpkeep |= !found.unheld.isEmpty() || !found.corruptKeys.isEmpty();
    try {
      List<LeaseEntry> unheld =
          found.unheld.isEmpty() ? List.of() : apply(new HandBack(found.unheld));
      int done = 0;
      while (done < found.corruptKeys.size()) {
        Quarantine quarantine = new Quarantine(found.corruptKeys.get(done));
        if (!quarantine.hasRoom(batch)) {
          break;
        }
        apply(quarantine);
        done++;
      }
      List<byte[]> left = found.corruptKeys.subList(done, found.corruptKeys.size());
      return new Untidy(List.copyOf(unheld), List.copyOf(left));
    } catch (BrokenException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new SetbackException(e);
    }
  }

  /** Returns the tidying that was left before, with the corrupt rows that this group met. */
  Untidy found(Untidy before) {
    if (batch.corruptKeys().isEmpty()) {
      return before;
    }
    List<byte[]> corruptKeys = new ArrayList<>(before.corruptKeys);
    for (byte[] key : batch.corruptKeys()) {
      if (corruptKeys.stream().noneMatch(known -> Arrays.equals(known, key))) {
        corruptKeys.add(key);
      }
    }
    return new Untidy(before.unheld, corruptKeys);
  }

  /** Tells whether due work, or tidying, has a part in the batch. */
  boolean hasUpkeep() {
    return hasUpkeep;
  }

  /**
   * Adds to the batch what follows from all changes, and completes it for writing.
   *
   * @throws SetbackException the batch is more than the store takes
   */
  void seal(OrderedStore store) {
    BatchSteps.end(batch);
    WriteBatch writes = batch.writes();
    if (writes.isEmpty() && !isGuarded) {
      return;
    }
    writes.put(MetaKeys.TIME, new MetaRecords.Time(time.nowMs(), time.steadyMs()).encode());
    StoreInfo info = store.info();
    boolean isSmall =
        writes.size() <= info.batchOperationsMax()
            && writes.bytes() <= Math.min(info.batchBytesMax(), info.valueBytesMax());
    if (isSmall) {
      return;
    }
    try {
      writes.requireAcceptable(writes.previous(), info);
    } catch (IllegalArgumentException e) {
      throw new SetbackException(Refusals.tooLarge(writes, state.rules().batch()));
    }
  }

  /**
   * The tidying that is left to be done.
   *
   * @param unheld leases that nobody holds, for their claimers gave up before they had them
   * @param corruptKeys the keys of rows that could not be read
   */
  record Untidy(List<LeaseEntry> unheld, List<byte[]> corruptKeys) {}
}
