package io.millrace.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Options by value: equal if they are of one class and say the same. Immutable. */
abstract class Options {

  /** What they say, by name, in the order in which it is to be read. Arrays are wrapped. */
  abstract Map<String, Object> values();

  /** The names and values as they are given, in turn. */
  static Map<String, Object> values(Object... namesAndValues) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return values;
  }

  /** Refuses what was asked for, if it is not what a store needs that several owners share. */
  static void requireShared(String what, @Nullable Enum<?> value, Enum<?> needed) {
    if (value != null && value != needed) {
      throw new IllegalArgumentException(
          what
              + " does not fit a store that several owners share: value="
              + value
              + ", needed="
              + needed
              + "; leave it out");
    }
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof Options that
        && that.getClass() == getClass()
        && that.values().equals(values());
  }

  @Override
  public final int hashCode() {
    return values().hashCode();
  }

  @Override
  public final String toString() {
    return values().entrySet().stream()
        .map(value -> value.getKey() + "=" + value.getValue())
        .collect(Collectors.joining(", ", getClass().getSimpleName() + "[", "]"));
  }
}
