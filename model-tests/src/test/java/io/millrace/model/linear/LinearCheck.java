package io.millrace.model.linear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The search for an order of recorded calls that explains all answers: each call at one instant
 * between its begin and its end.
 *
 * <p>The algorithm of Wing and Gong ("Testing and verifying concurrent objects", 1993) with Lowe's
 * memory of what was tried ("Testing for linearizability", 2017): depth first, one call after the
 * other, never the same set of calls in the same state twice. Calls of unknown outcome may be
 * placed anywhere after their begin, or nowhere.
 */
final class LinearCheck {

  /** A set of calls is a long. */
  static final int EVENT_COUNT_MAX = 64;

  /** How much a look at the store may miss. */
  enum Reads {
    /** Nothing that was answered before. */
    SEE_ALL,

    /**
     * Grants that were answered before, for a claim does not wait for its record, and looks are at
     * the newest commit.
     */
    MAY_MISS_GRANTS
  }

  private final List<Event> events;
  private final List<Event> unanswered;
  private final long[] before;
  private final long answered;
  private final Set<Tried> tried = new HashSet<>();
  private List<Event> longest = List.of();
  private final List<Event> order = new ArrayList<>();

  /** A set of calls that have been placed, and the state after them. */
  private record Tried(long placed, SpecState state) {}

  private LinearCheck(List<Event> history, Reads reads) {
    if (history.size() > EVENT_COUNT_MAX) {
      throw new IllegalArgumentException(
          "history is too long: calls=" + history.size() + ", most=" + EVENT_COUNT_MAX);
    }
    // Most histories are explained by the order in which the calls ended.
    this.events = new ArrayList<>(history);
    events.sort(Comparator.comparingLong(event -> event.span().end()));
    this.unanswered = events.stream().filter(event -> event.answer().isEmpty()).toList();
    this.before = new long[events.size()];
    long all = 0;
    for (int i = 0; i < events.size(); i++) {
      before[i] = placedBefore(events.get(i), reads);
      all |= events.get(i).answer().isPresent() ? 1L << i : 0;
    }
    this.answered = all;
  }

  /**
   * What keeps a history from being explained.
   *
   * @param longest the most calls that could be explained, in an order that does
   */
  record Unexplained(List<Event> longest) {}

  /** Whether some order explains the history; if not, how far one gets. */
  static Optional<Unexplained> check(List<Event> history, SpecState initial, Reads reads) {
    LinearCheck check = new LinearCheck(history, reads);
    return check.isExplained(0, initial)
        ? Optional.empty()
        : Optional.of(new Unexplained(check.longest));
  }

  /** The calls that must come before one. */
  private long placedBefore(Event event, Reads reads) {
    long set = 0;
    for (int i = 0; i < events.size(); i++) {
      Event other = events.get(i);
      boolean isMissed =
          reads == Reads.MAY_MISS_GRANTS
              && event.call().isRead()
              && other.call() instanceof Call.Claim;
      if (other.isBefore(event) && !isMissed) {
        set |= 1L << i;
      }
    }
    return set;
  }

  private boolean isExplained(long placed, SpecState state) {
    if ((placed & answered) == answered && QueueSpec.isNobodyForgotten(state, unanswered)) {
      return true;
    }
    if (!tried.add(new Tried(placed, state))) {
      return false;
    }
    if (order.size() > longest.size()) {
      longest = List.copyOf(order);
    }
    for (int i = 0; i < events.size(); i++) {
      boolean isNext = (placed & 1L << i) == 0 && (before[i] & ~placed) == 0;
      if (isNext && isExplainedWith(i, placed, state)) {
        return true;
      }
    }
    for (SpecState after : QueueSpec.byItself(state)) {
      if (isExplained(placed, after)) {
        return true;
      }
    }
    return false;
  }

  private boolean isExplainedWith(int next, long placed, SpecState state) {
    for (SpecState after : QueueSpec.after(state, events.get(next))) {
      order.add(events.get(next));
      if (isExplained(placed | 1L << next, after)) {
        return true;
      }
      order.remove(order.size() - 1);
    }
    return false;
  }
}
