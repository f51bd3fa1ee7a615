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

  /**
   * What a look at the store may miss, for looks are at the newest commit. Claims that got nothing
   * and extensions are answered out of memory, without a commit: always those.
   */
  enum Reads {
    /** Nothing else that was answered before. */
    SEE_GRANTS,

    /**
     * The newest grants, too: their claims did not wait for the leases' records, which may be
     * written with a later commit than what was asked after them.
     */
    MAY_MISS_GRANTS
  }

  /** So many states are tried; real histories need some dozens. */
  private static final int STATE_COUNT_MAX = 100_000;

  /** There were too many states to try; nobody knows whether some order explains the history. */
  static final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Reads reads;
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
    this.reads = reads;
    // Most histories are explained by the order in which the calls ended.
    this.events = new ArrayList<>(history);
    events.sort(Comparator.comparingLong(event -> event.span().end()));
    this.unanswered = events.stream().filter(event -> event.answer().isEmpty()).toList();
    this.before = new long[events.size()];
    long all = 0;
    for (int i = 0; i < events.size(); i++) {
      before[i] = placedBefore(events.get(i));
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
  private long placedBefore(Event event) {
    long set = 0;
    for (int i = 0; i < events.size(); i++) {
      Event other = events.get(i);
      boolean isMissed = event.isLook() && isWithoutCommit(other);
      if (other.isBefore(event) && !isMissed) {
        set |= 1L << i;
      }
    }
    return set;
  }

  /** Whether a call was answered without waiting for a commit. */
  private boolean isWithoutCommit(Event event) {
    if (event.call() instanceof Call.Hold hold) {
      return hold.act() == Call.HolderAct.EXTEND;
    }
    boolean isEmpty = event.answer().map(List.of()::equals).orElse(false);
    return event.call() instanceof Call.Claim && (isEmpty || reads == Reads.MAY_MISS_GRANTS);
  }

  private boolean isExplained(long placed, SpecState state) {
    if ((placed & answered) == answered && QueueSpec.isNobodyForgotten(state, unanswered)) {
      return true;
    }
    if (!tried.add(new Tried(placed, state))) {
      return false;
    }
    if (tried.size() > STATE_COUNT_MAX) {
      throw new UndecidedException();
    }
    if (order.size() > longest.size()) {
      longest = List.copyOf(order);
    }
    int free = firstWithoutEffect(placed, state);
    if (free >= 0) {
      return isExplainedWith(free, placed, state);
    }
    for (int i = 0; i < events.size(); i++) {
      if (isNext(i, placed)) {
        for (SpecState after : after(state, events.get(i))) {
          if (isExplainedWith(i, placed, after)) {
            return true;
          }
        }
      }
    }
    for (SpecState after : QueueSpec.byItself(state)) {
      if (isExplained(placed, after)) {
        return true;
      }
    }
    return false;
  }

  private List<SpecState> after(SpecState state, Event event) {
    return event.isLook() && reads == Reads.MAY_MISS_GRANTS
        ? QueueSpec.afterLookThatMayMissGrants(state, event)
        : QueueSpec.after(state, event);
  }

  private boolean isNext(int event, long placed) {
    return (placed & 1L << event) == 0 && (before[event] & ~placed) == 0;
  }

  /**
   * A call that may come next and whose answer says that it changed nothing, or -1. There is no
   * need to try it later as well: in whatever order explains the rest, it can be moved to here.
   */
  private int firstWithoutEffect(long placed, SpecState state) {
    for (int i = 0; i < events.size(); i++) {
      boolean mayCome = isNext(i, placed) && events.get(i).isWithoutEffect();
      if (mayCome && !after(state, events.get(i)).isEmpty()) {
        return i;
      }
    }
    return -1;
  }

  private boolean isExplainedWith(int next, long placed, SpecState after) {
    order.add(events.get(next));
    boolean isExplained = isExplained(placed | 1L << next, after);
    order.remove(order.size() - 1);
    return isExplained;
  }
}
