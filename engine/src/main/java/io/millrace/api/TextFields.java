package io.millrace.api;

import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What an immutable value says, as texts by key.
 *
 * @param <T> type of the value
 */
final class TextFields<T> {

  private final String noun;
  private final Map<String, Field<T>> fields = new LinkedHashMap<>();

  /**
   * One thing that the value says.
   *
   * @param key what it is called
   * @param allowed which texts are right, for who gave a wrong one
   * @param text its text; empty if the value does not say it
   * @param with the value that says the text; throws IllegalArgumentException or
   *     DateTimeParseException if that is wrong
   * @param <T> type of the value
   */
  record Field<T>(
      String key,
      String allowed,
      Function<T, Optional<String>> text,
      BiFunction<T, String, T> with) {}

  /** These in this order; the noun is for errors. */
  TextFields(String noun, List<Field<T>> fields) {
    this.noun = noun;
    fields.forEach(this::add);
  }

  /** Adds a field after those before. */
  void add(Field<T> field) {
    fields.put(field.key(), field);
  }

  Iterable<String> keys() {
    return fields.keySet();
  }

  /** All that the value says. */
  Map<String, String> all(T value) {
    Map<String, String> texts = new LinkedHashMap<>();
    fields.forEach((key, field) -> field.text.apply(value).ifPresent(text -> texts.put(key, text)));
    return texts;
  }

  /**
   * The value that says the text.
   *
   * @throws IllegalArgumentException there is no such key, or the text is wrong
   */
  T with(T value, String key, String text) {
    return with(value, of(key), text);
  }

  /** As the other, for a field that is not among these perhaps. */
  T with(T value, Field<T> field, String text) {
    try {
      return field.with.apply(value, text);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          noun
              + " has a wrong value: key=\""
              + field.key
              + "\", value=\""
              + text
              + "\", allowed="
              + field.allowed
              + "; reason="
              + e.getMessage(),
          e);
    }
  }

  /**
   * The field of the key.
   *
   * @throws IllegalArgumentException there is none
   */
  Field<T> of(String key) {
    Field<T> field = fields.get(key);
    if (field == null) {
      throw new IllegalArgumentException(
          noun + " is unknown: key=\"" + key + "\", known=" + fields.keySet());
    }
    return field;
  }
}
