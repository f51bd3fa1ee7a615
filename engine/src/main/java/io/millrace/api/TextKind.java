package io.millrace.api;

import io.millrace.options.Checks;
import io.millrace.options.Option.Check;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of options whose values have texts.
 *
 * @param check the check of an option's value
 * @param allowed a description of the allowed texts, for error messages
 * @param value the parser of a text
 * @param <S> type of the values that an option is set to
 * @param <T> type of the values that an option returns; one that may be empty has the text {@link
 *     #NONE}
 */
record TextKind<S, T>(Check<S, T> check, String allowed, Function<String, S> value) {

  static final String NONE = "none";

  static final TextKind<Duration, Duration> LEASE =
      new TextKind<>(
          Check.between(Limits.LEASE_LEAST, Limits.LEASE_MAX),
          "a duration from PT0.1S to PT168H",
          Duration::parse);
  static final TextKind<Duration, Optional<Duration>> RETENTION =
      new TextKind<>(
          (name, value) ->
              Optional.of(
                  Duration.ofMillis(
                      Checks.inRange(name, value, Limits.KEEP_LEAST, Limits.DELAY_MAX).toMillis())),
          "a duration from PT0.001S to PT87600H, or none",
          Duration::parse);
  static final TextKind<Long, OptionalLong> DEPTH =
      new TextKind<>(
          (name, value) -> OptionalLong.of(Checks.inRange(name, value, 1, Long.MAX_VALUE)),
          "a number of jobs from 1, or none",
          Long::valueOf);
  static final TextKind<Backoff, Backoff> BACKOFF =
      new TextKind<>((name, value) -> value, BackoffText.ALLOWED, BackoffText::parse);
  static final TextKind<RateLimit, Optional<RateLimit>> RATE =
      new TextKind<>((name, value) -> Optional.of(value), RateText.ALLOWED, RateText::limit);

  static TextKind<Integer, Integer> number(String noun, int least, int most) {
    return new TextKind<>(
        Check.between(least, most), noun + " from " + least + " to " + most, Integer::valueOf);
  }

  static <E extends Enum<E>> TextKind<E, E> of(Class<E> type) {
    return new TextKind<>(
        (name, value) -> value,
        Stream.of(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(" or ")),
        text -> Enum.valueOf(type, text));
  }

  /** Returns the text of a value that an option returns. */
  static String text(Object value) {
    if (value instanceof Optional<?> it) {
      return it.map(TextKind::text).orElse(NONE);
    }
    if (value instanceof OptionalInt it) {
      return it.isPresent() ? Integer.toString(it.getAsInt()) : NONE;
    }
    if (value instanceof OptionalLong it) {
      return it.isPresent() ? Long.toString(it.getAsLong()) : NONE;
    }
    if (value instanceof Backoff backoff) {
      return backoff.text();
    }
    return value instanceof RateLimit limit ? limit.text() : value.toString();
  }
}
