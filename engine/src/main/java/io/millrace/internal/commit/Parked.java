package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Waiting;
import java.util.Optional;

/**
 * A claim that has found no job yet and waits for one.
 *
 * @param <R> the type of its answer
 * @param request the request
 * @param transition the request's transition
 * @param deadlineNs the end of the wait, on the monotonic clock
 * @param arrival the claim's place in the order of those that wait
 */
record Parked<R>(Request<R> request, Waiting<R> transition, long deadlineNs, long arrival)
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
    Parked<?> parked = find(state, request).orElse(null);
    if (parked != null) {
      boolean isUnfinished = state.parked().isUnfinished(parked);
      Parked<?> over = parked.until(nowNs);
      state.unpark(parked);
      state.park(over, nowNs);
      if (isUnfinished) {
        state.parked().markUnfinished(over);
      }
    }
  }

  private Parked<R> until(long ns) {
    return new Parked<>(request, transition, ns, arrival);
  }

  private static Optional<Parked<?>> find(WorkingSet state, Request<?> request) {
    for (ParkedClaim waiting : state.parked().all()) {
      Parked<?> parked = (Parked<?>) waiting;
      if (parked.request == request) {
        return Optional.of(parked);
      }
    }
    return Optional.empty();
  }

  /** Sets the answer that nothing was found in time. */
  void resolveInVain() {
    request.resolve(transition.nothing(), 0, Durability.BUFFERED);
  }

  /**
   * Refuses all waiting claims. First all are told, which needs no memory, and then they are
   * forgotten. Nobody is left out if something fails in between.
   */
  static void refuseAll(WorkingSet state, RuntimeException why, AnswerThread answerThread) {
    for (ParkedClaim parked = state.parked().first();
        parked != null;
        parked = state.parked().after(parked)) {
      ((Parked<?>) parked).request().refuse(why, answerThread);
    }
    for (ParkedClaim parked = state.parked().first();
        parked != null;
        parked = state.parked().first()) {
      state.unpark(parked);
    }
  }

  @Override
  public ClaimSpec spec() {
    return transition.spec();
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
