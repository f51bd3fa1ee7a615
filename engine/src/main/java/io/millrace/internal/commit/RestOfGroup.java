package io.millrace.internal.commit;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of a group that is still to be carried out, and how much of it goes into the next batch.
 * At first that is all of it, with due work. If no such batch can be made, due work is left out,
 * and then half of the requests each time, until a batch can be made or a request is alone with its
 * fault.
 */
final class RestOfGroup {

  private final List<Request<?>> left;
  private boolean hasUpkeep;
  private int countMax = Integer.MAX_VALUE;
  private boolean isDone;

  RestOfGroup(List<Request<?>> requests, boolean hasUpkeep) {
    this.left = new ArrayList<>(requests);
    this.hasUpkeep = hasUpkeep;
  }

  /** Returns all requests that are left. */
  List<Request<?>> left() {
    return left;
  }

  /** Returns the requests for the next batch. */
  List<Request<?>> next() {
    return List.copyOf(left.subList(0, Math.min(countMax, left.size())));
  }

  /** Tells whether due work belongs in the next batch. */
  boolean hasUpkeep() {
    return hasUpkeep;
  }

  boolean isDone() {
    return isDone;
  }

  /** Removes the first requests, and due work, for they are in a batch that was written. */
  void carriedOut(int count) {
    left.subList(0, count).clear();
    hasUpkeep = false;
    isDone = left.isEmpty();
  }

  /** Gives up what is left, for no more of the group can be done now. */
  void end() {
    isDone = true;
  }

  /** Drops the requests that have an answer by now, and those whose callers have given up. */
  void dropFinished() {
    left.removeIf(request -> request.isAnswered() || request.isAbandoned());
  }

  /**
   * Makes the next batch smaller, for this one cannot be made.
   *
   * @param hadUpkeep whether the batch had due work in it, so that it is enough to leave that out
   * @return false if the batch cannot be made smaller
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

  /** Returns the one request that cannot be carried out. */
  Request<?> alone() {
    countMax = Integer.MAX_VALUE;
    return left.get(0);
  }
}
