package io.millrace.model.crash;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a check found: violations by kind, the first of them in words, and figures. */
final class Findings {

  private static final int MESSAGE_COUNT_MAX = 20;

  /** What is counted that is no violation. */
  enum Figure {
    JOBS("jobs"),
    ANSWERS("answers"),
    SERVED("served"),
    /** Unknown outcomes that turned out to have happened. */
    RECOVERED("recovered"),
    /** Unknown outcomes that had not. */
    UNDONE("not happened"),
    /** What was acknowledged without having been synced, and the power took. */
    UNSYNCED_LOST("unsynced lost"),
    /** How long before the power cut the oldest of these had been acknowledged. */
    UNSYNCED_LOST_MS_MAX("oldest of them ms before the cut");

    private final String words;

    Figure(String words) {
      this.words = words;
    }
  }

  private final Map<Finding, Long> counts = new EnumMap<>(Finding.class);
  private final Map<Figure, Long> figures = new EnumMap<>(Figure.class);
  private final List<String> messages = new ArrayList<>();

  void add(Finding finding, String what) {
    counts.merge(finding, 1L, Long::sum);
    if (messages.size() < MESSAGE_COUNT_MAX) {
      messages.add(finding.words() + ": " + what);
    }
  }

  void count(Figure figure, long more) {
    figures.merge(figure, more, Long::sum);
  }

  void raise(Figure figure, long value) {
    figures.merge(figure, value, Math::max);
  }

  void addAll(Findings other) {
    other.counts.forEach((finding, count) -> counts.merge(finding, count, Long::sum));
    other.figures.forEach(
        (figure, value) -> {
          if (figure == Figure.UNSYNCED_LOST_MS_MAX) {
            raise(figure, value);
          } else {
            count(figure, value);
          }
        });
    messages.addAll(
        other.messages.subList(
            0, Math.min(other.messages.size(), MESSAGE_COUNT_MAX - messages.size())));
  }

  long count(Finding finding) {
    return counts.getOrDefault(finding, 0L);
  }

  long figure(Figure figure) {
    return figures.getOrDefault(figure, 0L);
  }

  /** The first violations in words. */
  List<String> messages() {
    return List.copyOf(messages);
  }

  /** All figures, and the number of violations of each kind, zeros too. */
  String summary() {
    return Stream.concat(
            Stream.of(Figure.values()).map(figure -> figure.words + " " + figure(figure)),
            Stream.of(Finding.values()).map(finding -> finding.words() + " " + count(finding)))
        .collect(Collectors.joining(", "));
  }
}
