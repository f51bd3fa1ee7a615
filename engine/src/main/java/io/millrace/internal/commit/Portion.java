package io.millrace.internal.commit;

import java.util.ArrayList;
import java.util.List;

/**
 * What of a group is still to be carried out, and how much at a time: all of it at first, with what
 * is due. If no batch can be made of that, what is due is left out, and then half of the requests
 * each time, until there is one or a request is alone with its fault.
 */
final class Portion {

  private final List<Request<?>> left;
  private boolean hasUpkeep;
  private int countMax = Integer.MAX_VALUE;
  private boolean isDone;

  Portion(List<Request<?>> requests, boolean hasUpkeep) {
    this.left = new ArrayList<>(requests);
    this.hasUpkeep = hasUpkeep;
  }

  /** All that is left. */
  List<Request<?>> left() {
    return left;
  }

  /** The requests for the next batch. */
  List<Request<?>> next() {
    return List.copyOf(left.subList(0, Math.min(countMax, left.size())));
  }

  /** Whether what is due belongs into the next batch. */
  boolean hasUpkeep() {
    return hasUpkeep;
  }

  boolean isDone() {
    return isDone;
  }

  /** The first requests, and what was due, are in a batch that was written. */
  void carriedOut(int count) {
    left.subList(0, count).clear();
    hasUpkeep = false;
    isDone = left.isEmpty();
  }

  /** Nothing more can be done now. */
  void end() {
    isDone = true;
  }

  /** Drops the requests that have an answer by now, and those that nobody waits for any more. */
  void dropFinished() {
    left.removeIf(request -> request.isAnswered() || request.isAbandoned());
  }

  /**
   * The batch cannot be made: the next one has less in it.
   *
   * @param hadUpkeep whether something was due, so that it is enough to leave that out
   * @return false if there is no less
   */
  boolean shrink(boolean hadUpkeep) {
    dropFinished();
    hasUpkeep = false;
    if (hadUpkeep) {
      return true;
    }
    int count = Math.min(countMax, left.size());
    countMax = Math.max(1, count / 2);
    return count > 1;
  }

  /** The one request that cannot be carried out. */
  Request<?> alone() {
    countMax = Integer.MAX_VALUE;
    return left.get(0);
  }
}
