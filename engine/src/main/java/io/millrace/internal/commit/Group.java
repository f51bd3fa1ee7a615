package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.JobState;
import io.millrace.api.MillraceException;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Change;
import io.millrace.internal.transition.Claim;
import io.millrace.internal.transition.Grant;
import io.millrace.internal.transition.HandBack;
import io.millrace.internal.transition.LeaseRows;
import io.millrace.internal.transition.Quarantine;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One group of requests on its way into one batch: everything between taking them up and writing.
 *
 * <p>Parked claims are served right after the request that made jobs ready for them, so that both
 * share the commit.
 */
final class Group implements DueWork.Steps {

  private final WorkingSet state;
  private final EngineTime time;
  private final Change change;
  private final Supplier<ReadView> view;
  private final int parkedCountMax;
  private final List<Request<?>> resolved = new ArrayList<>();
  private final List<Parked> served = new ArrayList<>();
  private final List<Parked> parked = new ArrayList<>();
  private boolean isServingCut;

  /** A group of nothing yet. */
  Group(
      WorkingSet state,
      EngineTime time,
      Change change,
      Supplier<ReadView> view,
      int parkedCountMax) {
    this.state = state;
    this.time = time;
    this.change = change;
    this.view = view;
    this.parkedCountMax = parkedCountMax;
  }

  /**
   * A transition broke a rule of its own, or could not read on when it had begun to change things:
   * memory and batch cannot be trusted.
   */
  static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Request<?> culprit;

    BrokenException(Request<?> culprit, RuntimeException cause) {
      super(cause);
      this.culprit = culprit;
    }

    Request<?> culprit() {
      return culprit;
    }
  }

  Change change() {
    return change;
  }

  /** Requests that have an answer, in order. */
  List<Request<?>> resolved() {
    return resolved;
  }

  /**
   * The batch never happened: claims that it served wait again, and those that began to wait with
   * it do not.
   */
  void undo() {
    change.undo();
    for (Parked claim : served) {
      if (!claim.request().isAnswered()) {
        state.park(claim, time.nowNs());
      }
    }
    parked.forEach(state::unpark);
  }

  @Override
  public <R> R apply(Transition<R> transition) {
    RowReads reads = new RowReads();
    transition.declare(state, reads);
    reads.fetch(view);
    change.begin(time.now(), state.rules().durability());
    prepare(transition);
    R result = transition.apply(change);
    serveWoken();
    return result;
  }

  /** Carries the requests out, each for itself. */
  void applyAll(List<Request<?>> requests) {
    RowReads reads = new RowReads();
    for (Request<?> request : requests) {
      request.transition().declare(state, reads);
    }
    reads.fetch(view);
    for (Request<?> request : requests) {
      if (!request.isAbandoned()) {
        applyOne(request);
      }
    }
  }

  private <R> void applyOne(Request<R> request) {
    change.begin(time.moment(request.submittedNs()), request.level());
    R result;
    try {
      prepare(request.transition());
      result = request.transition().apply(change);
    } catch (MillraceException | IllegalArgumentException e) {
      request.resolveFailure(e);
      resolved.add(request);
      return;
    } catch (RuntimeException e) {
      throw new BrokenException(request, e);
    }
    if (mustPark(request, result)) {
      park(request);
      return;
    }
    request.resolve(result, change.answerCommit(), change.answerLevel());
    resolved.add(request);
    serveWoken();
  }

  /** Before what looks at LEASE rows, or is looked at beside them, all leases have theirs. */
  private void prepare(Transition<?> transition) {
    if (transition.needsLeaseRows()) {
      LeaseRows.putAll(change);
    }
  }

  private boolean mustPark(Request<?> request, Object result) {
    return request.waitNs() > 0
        && request.transition() instanceof Claim
        && ((List<?>) result).isEmpty();
  }

  @SuppressWarnings("unchecked") // A claim answers a list of grants.
  private void park(Request<?> request) {
    if (state.parkedCount() >= parkedCountMax) {
      request.resolveFailure(
          new EngineOverloadedException(
              "too many claims are waiting: parkedClaimCountMax="
                  + parkedCountMax
                  + "; nothing happened"));
      resolved.add(request);
      return;
    }
    Request<List<Grant>> claim = (Request<List<Grant>>) request;
    long deadlineNs = request.submittedNs() + request.waitNs();
    Parked waiting =
        new Parked(claim, (Claim) request.transition(), deadlineNs, state.takeSequence());
    state.park(waiting, time.nowNs());
    parked.add(waiting);
  }

  /** A claim that is served may wake others: it took what they were held up by. */
  private void serveWoken() {
    List<QueueState> woken = change.takeWoken();
    while (!woken.isEmpty()) {
      for (QueueState queue : woken) {
        serve(queue.parkedClaims(), queue);
      }
      woken = change.takeWoken();
    }
  }

  /** Serves all claims that wait, of whatever queue. */
  void serveAll() {
    serve(state.parkedClaims(), null);
  }

  /** Whether the batch became too large for all claims that could have been served. */
  boolean isServingCut() {
    return isServingCut;
  }

  /** Serves claims that wait, in their order, until the jobs of the one queue run out. */
  private void serve(Collection<ParkedClaim> claims, @Nullable QueueState only) {
    List<Parked> left = new ArrayList<>();
    for (ParkedClaim waiting : claims) {
      boolean isOver = only != null && only.count(JobState.READY) == 0;
      if (isOver || state.leases().size() >= state.rules().leaseCountMax()) {
        break;
      }
      Parked claim = (Parked) waiting;
      if (!claim.isAbandoned() && !change.hasRoomFor(claim.claim().operationCountMax())) {
        isServingCut = true;
        break;
      }
      if (claim.isAbandoned() || isServed(claim)) {
        left.add(claim);
      }
    }
    left.forEach(state::unpark);
  }

  private boolean isServed(Parked claim) {
    change.begin(time.now(), claim.request().level());
    List<Grant> grants;
    try {
      grants = claim.claim().apply(change);
    } catch (MillraceException e) {
      claim.request().resolveFailure(e);
      resolved.add(claim.request());
      served.add(claim);
      return true;
    }
    if (grants.isEmpty()) {
      return false;
    }
    claim.request().resolve(grants, change.answerCommit(), change.answerLevel());
    resolved.add(claim.request());
    served.add(claim);
    return true;
  }

  /** Ends the waiting of claims whose time is up: they are answered that there was nothing. */
  void endOverdue() {
    for (ParkedClaim first = state.firstParked();
        first != null && first.deadlineNs() - time.nowNs() <= 0;
        first = state.firstParked()) {
      state.unpark(first);
      Request<List<Grant>> request = ((Parked) first).request();
      request.resolve(List.of(), 0, Durability.BUFFERED);
      resolved.add(request);
    }
  }

  /** Hands back leases that nobody was told of, and sets aside rows that could not be read. */
  void tidy(List<Grant> untold) {
    serveWoken();
    if (!untold.isEmpty()) {
      apply(new HandBack(untold));
    }
    for (byte[] key : List.copyOf(change.corruptKeys())) {
      apply(new Quarantine(key));
    }
  }
}
