package io.millrace.options;

import io.millrace.options.Option.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The options of a class, in the order in which they are listed. The static fields of that class
 * fill the table; nothing is added afterwards.
 */
public final class OptionTable {

  final List<Option<?, ?>> options = new ArrayList<>();

  /** Adds an option that takes any value. */
  public <T> Option<T, T> add(String name, T otherwise) {
    return add(name, otherwise, (same, value) -> value);
  }

  /** Adds an option whose values are checked. */
  public <S, T> Option<S, T> add(String name, T otherwise, Check<S, T> check) {
    Option<S, T> option = new Option<>(options.size(), name, otherwise, check);
    options.add(option);
    return option;
  }

  /** Adds an option that is empty until it is set to any value. */
  public <T> Option<T, Optional<T>> optional(String name) {
    return optional(name, (same, value) -> value);
  }

  /** Adds an option that is empty until it is set, and whose values are checked. */
  public <T> Option<T, Optional<T>> optional(String name, Check<T, T> check) {
    return add(name, Optional.empty(), (same, value) -> Optional.of(check.checked(same, value)));
  }

  /** Adds an option that is empty until it is set to a number, which is checked. */
  public Option<Integer, OptionalInt> optionalInt(String name, Check<Integer, Integer> check) {
    return add(
        name, OptionalInt.empty(), (same, value) -> OptionalInt.of(check.checked(same, value)));
  }
}
