package io.millrace.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A set of options, compared by value: two are equal if they are of one class and have the same
 * values. Immutable: each change returns new options. Extended by Millrace alone.
 *
 * <p>A function that changes options must return the result of its last change, made on the result
 * of the change before: {@code o -> o.priority(5).delay(time)}. Changes that its result does not
 * contain are refused, because nobody would notice that they are lost.
 */
public abstract class Options {

  /**
   * The count of all changes that the function makes which was given these options, or those that
   * these derive from; null if there is no such function.
   */
  private @Nullable Made made;

  /** The number of changes between the options that the function was given and these. */
  private int changeCount;

  private static final class Made {
    private int count;
  }

  /** Creates the options from which others derive. */
  protected Options() {}

  /** Creates a copy that is about to be changed, and counts that change. */
  protected Options(Options other) {
    made = other.made;
    if (made != null) {
      made.count++;
      changeCount = other.changeCount + 1;
    }
  }

  /**
   * Returns the options that the function makes of the given ones.
   *
   * @param own a copy that nobody else refers to
   * @throws IllegalArgumentException the function's result lacks some of the changes that it made
   */
  protected static <O extends Options> O applied(O own, UnaryOperator<O> change) {
    Objects.requireNonNull(change, "change");
    Options given = own;
    @Nullable Made outer = given.made;
    int outerCount = 0;
    if (outer != null) { // making this copy is not a change
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
    if (answered.made == all) { // later changes are not this function's
      answered.made = outer;
      answered.changeCount = outerCount + all.count;
      if (outer != null) {
        outer.count += all.count;
      }
    }
    return answer;
  }

  /**
   * Returns the values by name, in the order in which {@link #toString} shows them. Arrays are
   * wrapped.
   */
  protected abstract Map<String, Object> values();

  /** Returns a map of names and values, which are given in turn. */
  protected static Map<String, Object> values(Object... namesAndValues) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return values;
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
