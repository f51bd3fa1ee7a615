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
 * @param claim its transition
 * @param deadlineNs when it stops waiting, on the monotonic clock
 * @param arrival its place among those that wait
 */
record Parked(Request<List<Grant>> request, Claim claim, long deadlineNs, long arrival)
    implements ParkedClaim {

  /** A claim that waits is given up. */
  static void forget(WorkingSet state, Request<?> request) {
    find(state, request).ifPresent(state::unpark);
  }

  /** The time of a claim that waits is over. One that is unfinished goes on until it is known. */
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
   * Refuses all that wait: first all are told, for which no memory is needed, and then they are
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

  /** Each is itself: nothing else makes two of them the same. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(arrival);
  }
}
