package io.millrace.model.linear;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A call as it was recorded.
 *
 * @param thread who called
 * @param span when
 * @param call what was asked
 * @param answer what was answered; empty if that was never known
 */
record Event(int thread, Span span, Call call, Optional<Object> answer) {

  /** The end of a call that has none. */
  static final long NEVER = Long.MAX_VALUE;

  /** Answers that mean that nothing happened; an empty list is that of a claim. */
  private static final Set<Object> REFUSALS =
      Set.of(
          List.of(),
          List.of(QueueSpec.FULL),
          HolderSpec.STALE,
          HolderSpec.GONE,
          OperatorSpec.RUNNING,
          OperatorSpec.NOT_DEAD,
          OperatorSpec.STILL_ALIVE);

  /**
   * The begin and the end of a call: as places in the order of all begins and ends, and on the
   * engine's clock.
   */
  record Span(long begin, long end, long beginMs, long endMs) {}

  static Event of(int thread, long begin, long end, Call call, Object answer) {
    return new Event(thread, new Span(begin, end, 0, 0), call, Optional.of(answer));
  }

  /** A call whose outcome nobody knows: it may happen at any time after its begin, or never. */
  static Event unanswered(int thread, long begin, Call call) {
    return new Event(thread, new Span(begin, NEVER, 0, NEVER), call, Optional.empty());
  }

  /** Whether it only looked at the store; a deletion that finds nothing to delete is no more. */
  boolean isLook() {
    return call.isRead() || answer.map(OperatorSpec.NOT_DEAD::equals).orElse(false);
  }

  /** Whether its answer says that it changed nothing, whatever there was. */
  boolean isWithoutEffect() {
    return call.isRead() || answer.map(REFUSALS::contains).orElse(false);
  }

  /** Whether this one had ended when the other began. */
  boolean isBefore(Event other) {
    return span.end < other.span.begin;
  }
}
