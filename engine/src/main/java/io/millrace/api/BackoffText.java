package io.millrace.api;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The text form of a backoff: its kind, and its values by name. Values left out of an exponential
 * backoff are those of {@link Backoff#DEFAULT}. Elsewhere the jitter is 0 if it is left out. A
 * linear backoff without a step has a step of zero, and without a maximum the maximum is one hour
 * if there is a step, else the initial wait.
 *
 * <pre>
 * exponential initial=PT1S multiplier=2.0 max=PT1H jitter=0.2
 * linear initial=PT1S step=PT2S max=PT1M jitter=0.0
 * fixed delay=PT5S
 * list delays=PT1S,PT10S,PT1M jitter=0.1
 * </pre>
 */
final class BackoffText {

  static final String ALLOWED =
      "exponential, linear, fixed or list, and values by name, such as \"exponential initial=PT1S"
          + " multiplier=2.0 max=PT1H jitter=0.2\", \"linear initial=PT1S step=PT2S max=PT1M\","
          + " \"fixed delay=PT5S\" or \"list delays=PT1S,PT10S\"";

  private final Map<String, String> values = new LinkedHashMap<>();

  private BackoffText(List<String> words) {
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("not a name and a value: " + word);
      }
      if (values.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("named twice: " + word.substring(0, equals));
      }
    }
  }

  /**
   * Parses a backoff from its text.
   *
   * @throws IllegalArgumentException the text describes no backoff; the message says why
   */
  static Backoff parse(String text) {
    List<String> words = Arrays.asList(text.strip().split("\\s+"));
    BackoffText named = new BackoffText(words.subList(1, words.size()));
    Backoff backoff = named.ofKind(words.get(0));
    if (!named.values.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown for " + words.get(0) + ": " + String.join(", ", named.values.keySet()));
    }
    return backoff;
  }

  static String of(Backoff backoff) {
    if (backoff instanceof Backoff.Exponential it) {
      return "exponential initial=%s multiplier=%s max=%s jitter=%s"
          .formatted(it.initial(), it.multiplier(), it.max(), it.jitter());
    }
    if (backoff instanceof Backoff.Linear it) {
      return "linear initial=%s step=%s max=%s jitter=%s"
          .formatted(it.initial(), it.step(), it.max(), it.jitter());
    }
    Backoff.Custom it = (Backoff.Custom) backoff;
    return "list delays=%s jitter=%s"
        .formatted(
            it.delays().stream().map(Duration::toString).collect(Collectors.joining(",")),
            it.jitter());
  }

  private Backoff ofKind(String kind) {
    return switch (kind) {
      case "exponential" ->
          new Backoff.Exponential(
              duration("initial", "PT1S"),
              number("multiplier", "2.0"),
              duration("max", "PT1H"),
              number("jitter", "0.2"));
      case "linear" -> {
        Duration initial = duration("initial", "");
        yield new Backoff.Linear(
            initial,
            duration("step", "PT0S"),
            duration("max", values.containsKey("step") ? "PT1H" : initial.toString()),
            number("jitter", "0.0"));
      }
      case "fixed" -> Backoff.fixed(duration("delay", ""));
      case "list" ->
          new Backoff.Custom(
              Arrays.stream(value("delays", "").split(",", -1))
                  .map(delay -> parsed("delays", delay))
                  .toList(),
              number("jitter", "0.0"));
      default -> throw new IllegalArgumentException("unknown kind: " + kind);
    };
  }

  /** Removes and returns the value of a name. An empty default makes the value mandatory. */
  private String value(String name, String otherwise) {
    String given = values.remove(name);
    if (given == null && otherwise.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return given == null ? otherwise : given;
  }

  private Duration duration(String name, String otherwise) {
    return parsed(name, value(name, otherwise));
  }

  private double number(String name, String otherwise) {
    String value = value(name, otherwise);
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is not a number: " + value, e);
    }
  }

  private static Duration parsed(String name, String value) {
    try {
      return Duration.parse(value);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(name + " is not a duration: " + value, e);
    }
  }
}
