package io.millrace.api;

import io.millrace.api.QueueSettings.Setting;
import io.millrace.options.Checks;
import io.millrace.options.Option;
import io.millrace.options.Option.Check;
import io.millrace.options.OptionTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text form of settings, by key, for operators and configuration files. */
final class SettingsText {

  private static final String INHERIT = "inherit";
  private static final String NONE = "none";

  final OptionTable options = new OptionTable();
  private final TextFields<QueueSettings> fields = new TextFields<>("setting", List.of());
  private final Map<String, Setting> settings = new HashMap<>();

  /**
   * A kind of setting values.
   *
   * @param check the check of an option's value
   * @param allowed a description of the allowed texts, for error messages
   * @param value the parser of a text
   * @param <S> type of the values that an option is set to
   * @param <T> type of the values that an option returns; one that may be empty has the text {@code
   *     none}
   */
  record Kind<S, T>(Check<S, T> check, String allowed, Function<String, S> value) {

    static final Kind<Duration, Duration> LEASE =
        new Kind<>(
            Check.between(Limits.LEASE_LEAST, Limits.LEASE_MAX),
            "a duration from PT0.1S to PT168H",
            Duration::parse);
    static final Kind<Duration, Optional<Duration>> RETENTION =
        new Kind<>(
            (name, value) ->
                Optional.of(
                    Duration.ofMillis(
                        Checks.inRange(name, value, Limits.KEEP_LEAST, Limits.DELAY_MAX)
                            .toMillis())),
            "a duration from PT0.001S to PT87600H, or none",
            Duration::parse);
    static final Kind<Long, OptionalLong> DEPTH =
        new Kind<>(
            (name, value) -> OptionalLong.of(Checks.inRange(name, value, 1, Long.MAX_VALUE)),
            "a number of jobs from 1, or none",
            Long::valueOf);
    static final Kind<Backoff, Backoff> BACKOFF =
        new Kind<>((name, value) -> value, BackoffText.ALLOWED, BackoffText::parse);
    static final Kind<RateLimit, Optional<RateLimit>> RATE =
        new Kind<>((name, value) -> Optional.of(value), RateText.ALLOWED, RateText::limit);

    static Kind<Integer, Integer> number(String noun, int most) {
      return new Kind<>(Check.between(1, most), noun + " from 1 to " + most, Integer::valueOf);
    }

    static <E extends Enum<E>> Kind<E, E> of(Class<E> type) {
      return new Kind<>(
          (name, value) -> value,
          Stream.of(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(" or ")),
          text -> Enum.valueOf(type, text));
    }
  }

  /** Adds an option after those added before. */
  <S, T> Option<S, T> add(Setting setting, String name, T otherwise, Kind<S, T> kind) {
    Option<S, T> option = options.add(name, otherwise, kind.check);
    boolean mayBeNone = text(otherwise).equals(NONE);
    settings.put(name, setting);
    fields.add(
        new TextFields.Field<>(
            name,
            kind.allowed + ", or inherit",
            told -> Optional.of(text(told.get(option))),
            (told, text) ->
                mayBeNone && text.equals(NONE)
                    ? told.setNone(option)
                    : told.set(option, kind.value.apply(text))));
    return option;
  }

  private static String text(Object value) {
    if (value instanceof Optional<?> it) {
      return it.map(SettingsText::text).orElse(NONE);
    }
    if (value instanceof OptionalLong it) {
      return it.isPresent() ? Long.toString(it.getAsLong()) : NONE;
    }
    if (value instanceof Backoff backoff) {
      return backoff.text();
    }
    return value instanceof RateLimit limit ? limit.text() : value.toString();
  }

  Map<String, String> all(QueueSettings told) {
    return fields.all(told);
  }

  /** Returns the setting that the option of this name belongs to. */
  Setting setting(String key) {
    return Objects.requireNonNull(settings.get(fields.of(key).key()), key);
  }

  /**
   * Returns the settings with these changes: first those that unset a setting, then those that set
   * one, each in the order of the keys.
   */
  QueueSettings change(QueueSettings told, Map<String, String> texts) {
    texts.keySet().forEach(fields::of);
    requireOneMind(texts);
    Map<String, String> newTexts = new LinkedHashMap<>();
    QueueSettings changed = told;
    for (String key : fields.keys()) {
      String text = texts.get(key);
      if (INHERIT.equals(text)) {
        changed = changed.inherit(setting(key));
      } else if (text != null) {
        newTexts.put(key, text);
      }
    }
    for (Map.Entry<String, String> text : newTexts.entrySet()) {
      changed = fields.with(changed, text.getKey(), text.getValue());
    }
    return changed;
  }

  /**
   * Refuses texts that inherit only one of the number of attempts and the backoff, which are one
   * setting.
   */
  private static void requireOneMind(Map<String, String> texts) {
    String attempts = texts.get("maxAttempts");
    String backoff = texts.get("backoff");
    if (attempts != null
        && backoff != null
        && attempts.equals(INHERIT) != backoff.equals(INHERIT)) {
      throw new IllegalArgumentException(
          "maxAttempts and backoff are one setting, set together or inherited together:"
              + " maxAttempts=\""
              + attempts
              + "\", backoff=\""
              + backoff
              + "\"");
    }
  }
}
