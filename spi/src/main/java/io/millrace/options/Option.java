package io.millrace.options;

/**
 * An entry of an {@link OptionTable}.
 *
 * @param index its place in the table
 * @param otherwise the value of the option until it is set
 * @param check the check of each value that it is set to
 * @param <S> type of the values that it is set to
 * @param <T> type of the values that it has
 */
public record Option<S, T>(int index, String name, T otherwise, Check<S, T> check) {

  /**
   * A check of a value to which an option is set.
   *
   * @param <S> type of the values that the option is set to
   * @param <T> type of the values that the option has
   */
  @FunctionalInterface
  public interface Check<S, T> {

    /**
     * Returns the value that the option has from then on.
     *
     * @throws IllegalArgumentException the value is wrong; the message begins with the name
     */
    T checked(String name, S value);

    /** Returns a check of a range, both ends inclusive. */
    static <C extends Comparable<C>> Check<C, C> between(C least, C most) {
      return (name, value) -> {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
          throw wrong(name + " is out of range", value, least + ", most=" + most);
        }
        return value;
      };
    }

    /** Returns a check of a range that has no upper end. */
    static <C extends Comparable<C>> Check<C, C> atLeast(C least) {
      return (name, value) -> {
        if (value.compareTo(least) < 0) {
          throw wrong(name + " is too low", value, least);
        }
        return value;
      };
    }

    private static IllegalArgumentException wrong(String what, Object value, Object least) {
      return new IllegalArgumentException(what + ": value=" + value + ", least=" + least);
    }
  }
}
