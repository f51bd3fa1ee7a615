package io.millrace.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Options by value: equal if they are of one class and say the same. Immutable: each change answers
 * others. Extended by Millrace alone.
 *
 * <p>Where a function is taken that changes options, it has to answer what its last change
 * answered, with all changes before it in that: {@code o -> o.priority(5).delay(time)}. Changes
 * that are not in its answer are refused, for nobody would notice that they are lost.
 */
public abstract class Options {

  /** Counts the changes of the function that has these, or those that they come of. */
  private @Nullable Made made;

  /** How many changes lie between these and those that the function was given. */
  private int changeCount;

  private static final class Made {
    private int count;
  }

  /** Those to start from. */
  protected Options() {}

  /** A copy that is about to be changed. */
  protected Options(Options other) {
    made = other.made;
    if (made != null) {
      made.count++;
      changeCount = other.changeCount + 1;
    }
  }

  /**
   * What the function makes of these.
   *
   * @param own a copy that nobody else has
   * @throws IllegalArgumentException the answer is without some of the changes that were made
   */
  protected static <O extends Options> O applied(O own, UnaryOperator<O> change) {
    Objects.requireNonNull(change, "change");
    Options given = own;
    @Nullable Made outer = given.made;
    int outerCount = 0;
    if (outer != null) { // that it is copied is no change
      outer.count--;
      outerCount = given.changeCount - 1;
    }
    Made all = new Made();
    given.made = all;
    given.changeCount = 0;
    O answer = Objects.requireNonNull(change.apply(own), "options that the function answers");
    Options answered = answer;
    int kept = answered.made == all ? answered.changeCount : 0;
    if (kept != all.count) {
      throw new IllegalArgumentException(
          "changes of options are lost: made="
              + all.count
              + ", in the answer="
              + kept
              + ", options="
              + own.getClass().getSimpleName()
              + "; options are immutable, answer what the last change answered: o -> o.a(1).b(2)");
    }
    if (answered.made == all) { // what is made of them from now on is not this function's
      answered.made = outer;
      answered.changeCount = outerCount + all.count;
      if (outer != null) {
        outer.count += all.count;
      }
    }
    return answer;
  }

  /** What they say, by name, in the order in which it is to be read. Arrays are wrapped. */
  protected abstract Map<String, Object> values();

  /** The names and values as they are given, in turn. */
  protected static Map<String, Object> values(Object... namesAndValues) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return values;
  }

  /** Refuses what was asked for, if it is not what a store needs that several owners share. */
  static <E extends Enum<E>> void requireShared(String what, Optional<E> value, E needed) {
    if (value.orElse(needed) != needed) {
      throw new IllegalArgumentException(
          what
              + " does not fit a store that several owners share: value="
              + value.orElseThrow()
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
    return getClass().getSimpleName() + values().entrySet();
  }
}
