package io.millrace.options;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** A value for each option of a table. Immutable: each change returns new values. */
public final class OptionValues {

  private final OptionTable table;
  private final Object[] values;

  private OptionValues(OptionTable table, Object[] values) {
    this.table = table;
    this.values = values;
  }

  /** Returns the defaults of all options of the table, which must be complete. */
  public static OptionValues of(OptionTable table) {
    return new OptionValues(
        table, table.options.stream().map(option -> (Object) option.otherwise()).toArray());
  }

  /**
   * Sets an option.
   *
   * @throws NullPointerException the value is null
   * @throws IllegalArgumentException the value is wrong
   */
  public <S, T> OptionValues with(Option<S, T> option, S value) {
    return changed(
        option,
        option.check().checked(option.name(), Objects.requireNonNull(value, option.name())));
  }

  /**
   * Sets those options of the table that the predicate picks to the values that {@code others}
   * have.
   */
  public OptionValues with(OptionValues others, Predicate<Option<?, ?>> which) {
    Object[] changed = values.clone();
    table.options.stream()
        .filter(which)
        .forEach(option -> changed[option.index()] = others.values[option.index()]);
    return new OptionValues(table, changed);
  }

  /** Sets an option to its default. */
  public <T> OptionValues without(Option<?, T> option) {
    return changed(option, option.otherwise());
  }

  private <T> OptionValues changed(Option<?, T> option, T value) {
    Object[] changed = values.clone();
    changed[option.index()] = value;
    return new OptionValues(table, changed);
  }

  @SuppressWarnings("unchecked") // An option's place holds what its check answered, or its default.
  public <T> T get(Option<?, T> option) {
    return (T) values[option.index()];
  }

  /** Returns the values by name, in the order of the table. The map belongs to the caller. */
  public Map<String, Object> byName() {
    Map<String, Object> byName = new LinkedHashMap<>();
    table.options.forEach(option -> byName.put(option.name(), values[option.index()]));
    return byName;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OptionValues that
        && table == that.table
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }
}
