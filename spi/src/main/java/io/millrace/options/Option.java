package io.millrace.options;

import java.util.Objects;

/**
 * An entry of an {@link OptionTable}.
 *
 * @param <S> type of what it is set to
 * @param <T> type of what it tells
 */
public final class Option<S, T> {

  final int index;
  private final T otherwise;
  private final String name;
  private final Check<S, T> check;

  /**
   * A check of what an option is set to.
   *
   * @param <S> type of what it is set to
   * @param <T> type of what it tells
   */
  @FunctionalInterface
  public interface Check<S, T> {

    /**
     * Answers what the option tells from then on.
     *
     * @throws IllegalArgumentException the value is wrong; the message begins with the name
     */
    T checked(String name, S value);
  }

  Option(int index, String name, T otherwise, Check<S, T> check) {
    this.index = index;
    this.name = name;
    this.otherwise = otherwise;
    this.check = check;
  }

  public String name() {
    return name;
  }

  /** Answers what it tells until it is set. */
  public T otherwise() {
    return otherwise;
  }

  T checked(S value) {
    return check.checked(name, Objects.requireNonNull(value, name));
  }
}
