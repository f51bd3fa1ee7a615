package io.millrace.api;

import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The fields of an immutable value, as texts by key.
 *
 * @param <T> type of the value
 */
final class TextFields<T> {

  private final String noun;
  private final Map<String, Field<T>> fields = new LinkedHashMap<>();

  /**
   * A field of the value.
   *
   * @param key the field's name
   * @param allowed a description of the allowed texts, for error messages
   * @param text returns the field's text; empty if the value has none
   * @param with returns the value with the field set to a text; throws IllegalArgumentException or
   *     DateTimeParseException if the text is wrong
   * @param <T> type of the value
   */
  record Field<T>(
      String key,
      String allowed,
      Function<T, Optional<String>> text,
      BiFunction<T, String, T> with) {}

  /** Creates the fields in this order. The noun names a field in error messages. */
  TextFields(String noun, List<Field<T>> fields) {
    this.noun = noun;
    fields.forEach(this::add);
  }

  /** Adds a field after those added before. */
  void add(Field<T> field) {
    fields.put(field.key(), field);
  }

  Iterable<String> keys() {
    return fields.keySet();
  }

  /** Returns the texts of all fields that the value has. */
  Map<String, String> all(T value) {
    Map<String, String> texts = new LinkedHashMap<>();
    fields.forEach((key, field) -> field.text.apply(value).ifPresent(text -> texts.put(key, text)));
    return texts;
  }

  /**
   * Returns the value with fields set to texts, which are given by key.
   *
   * @throws IllegalArgumentException a key or a text is wrong
   */
  T with(T value, Map<String, String> texts) {
    T changed = value;
    for (Map.Entry<String, String> text : texts.entrySet()) {
      changed =
          with(changed, text.getKey(), Objects.requireNonNull(text.getValue(), text.getKey()));
    }
    return changed;
  }

  /**
   * Returns the value with a field set to a text.
   *
   * @throws IllegalArgumentException there is no such key, or the text is wrong
   */
  T with(T value, String key, String text) {
    return with(value, of(key), text);
  }

  /** Returns the value with a field, which need not be one of these, set to a text. */
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
   * Returns the field of the key.
   *
   * @throws IllegalArgumentException there is no such field
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
