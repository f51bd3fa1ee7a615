package io.millrace.internal.commit;

import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Grant;
import java.util.List;
import java.util.Optional;

/**
 * A claim that has found no job yet and waits for one.
 *
 * @param request the request
 * @param claim the request's transition
 * @param deadlineNs the end of the wait, on the monotonic clock
 * @param arrival the claim's place in the order of those that wait
 */
record Parked(Request<List<Grant>> request, Claim claim, long deadlineNs, long arrival)
    implements ParkedClaim {

  /** Removes a given-up claim from the waiting ones. */
  static void forget(WorkingSet state, Request<?> request) {
    find(state, request).ifPresent(state::unpark);
  }

  /**
   * Sets the deadline of a waiting claim to now. An unfinished claim goes on until its result is
   * known.
   */
  static void endWait(WorkingSet state, Request<?> request, long nowNs) {
    Parked parked = find(state, request).orElse(null);
    if (parked != null) {
      boolean isUnfinished = state.parked().isUnfinished(parked);
      Parked over = new Parked(parked.request, parked.claim, nowNs, parked.arrival);
      state.unpark(parked);
      state.park(over, nowNs);
      if (isUnfinished) {
        state.parked().markUnfinished(over);
      }
    }
  }

  private static Optional<Parked> find(WorkingSet state, Request<?> request) {
    return state.parked().all().stream()
        .map(Parked.class::cast)
        .filter(parked -> parked.request() == request)
        .findFirst();
  }

  /**
   * Refuses all waiting claims. First all are told, which needs no memory, and then they are
   * forgotten. Nobody is left out if something fails in between.
   */
  static void refuseAll(WorkingSet state, RuntimeException why, AnswerThread answerThread) {
    for (ParkedClaim parked = state.parked().first();
        parked != null;
        parked = state.parked().after(parked)) {
      ((Parked) parked).request().refuse(why, answerThread);
    }
    for (ParkedClaim parked = state.parked().first();
        parked != null;
        parked = state.parked().first()) {
      state.unpark(parked);
    }
  }

  @Override
  public ClaimSpec spec() {
    return claim.spec();
  }

  @Override
  public boolean isAbandoned() {
    return request.isAbandoned();
  }

  /** Compares by identity: no two claims are equal. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(arrival);
  }
}
