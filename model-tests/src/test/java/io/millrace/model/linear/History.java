package io.millrace.model.linear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls that threads made to one engine, and what they were answered.
 *
 * @param title where it comes from and how to make one like it
 * @param initial what there was before
 * @param reads what looks may miss
 */
record History(String title, List<Event> events, SpecState initial, LinearCheck.Reads reads) {

  /** Whether the search came to an end. */
  enum Verdict {
    EXPLAINED,
    UNDECIDED
  }

  /** Throws if no order of the calls explains every answer. */
  Verdict check() {
    Verdict verdict = Verdict.EXPLAINED;
    for (List<Event> part : parts()) {
      try {
        LinearCheck.check(part, initial, reads)
            .ifPresent(
                unexplained -> {
                  throw new AssertionError(text(part, unexplained));
                });
      } catch (LinearCheck.UndecidedException e) {
        verdict = Verdict.UNDECIDED;
      }
    }
    return verdict;
  }

  /** Those that are independent: the calls of each queue, if no call is about two. */
  List<List<Event>> parts() {
    if (events.stream().anyMatch(event -> event.call().queues().size() > 1)) {
      return List.of(events);
    }
    return events.stream()
        .flatMap(event -> event.call().queues().stream())
        .distinct()
        .map(queue -> events.stream().filter(event -> isAbout(event, queue)).toList())
        .toList();
  }

  private static boolean isAbout(Event event, int queue) {
    List<Integer> queues = event.call().queues();
    return queues.isEmpty() || queues.contains(queue);
  }

  private String text(List<Event> part, LinearCheck.Unexplained unexplained) {
    List<Event> needed = withoutNeedlessReads(part);
    return "no order of these calls explains their answers: "
        + title
        + "\n"
        + table(needed)
        + "in this order the most are explained:\n"
        + unexplained.longest().stream()
            .map(event -> "  " + line(event) + "\n")
            .collect(Collectors.joining());
  }

  /** Without looks that are explained as soon as another one is: they only distract. */
  private List<Event> withoutNeedlessReads(List<Event> part) {
    List<Event> needed = new ArrayList<>(part);
    for (Event event : part) {
      List<Event> fewer = new ArrayList<>(needed);
      fewer.remove(event);
      if (event.call().isRead() && isUnexplained(fewer)) {
        needed = fewer;
      }
    }
    return needed;
  }

  private boolean isUnexplained(List<Event> fewer) {
    try {
      return LinearCheck.check(fewer, initial, reads).isPresent();
    } catch (LinearCheck.UndecidedException e) {
      return false;
    }
  }

  /** The calls as a table, in the order of their begins. */
  static String table(List<Event> events) {
    Stream<Event> sorted =
        events.stream().sorted(Comparator.comparingLong(event -> event.span().begin()));
    return " begin   end  thread  call -> answer\n"
        + sorted
            .map(
                event ->
                    String.format(
                        "%6d %5s  %6s  %s%n",
                        event.span().begin(),
                        event.span().end() == Event.NEVER ? "-" : event.span().end(),
                        "T" + event.thread(),
                        line(event)))
            .collect(Collectors.joining());
  }

  private static String line(Event event) {
    Optional<Object> answer = event.answer();
    return event.call() + " -> " + answer.map(Object::toString).orElse("?");
  }
}
