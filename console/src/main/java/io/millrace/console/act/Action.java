package io.millrace.console.act;

import io.millrace.console.http.Parameters;
import io.millrace.console.source.Changes;
import io.millrace.console.source.Changes.Outcome;
import java.util.List;

/**
 * An action that a visitor may ask for, in a form or by a program.
 *
 * @param name the name in its path, such as {@code job.cancel}
 * @param summary what it does, as a sentence
 * @param fields the parameters that it takes
 * @param doing carries it out
 */
public record Action(String name, String summary, List<Field> fields, Doing doing) {

  /**
   * A parameter of an action.
   *
   * @param isRepeated whether it may be given several times
   */
  public record Field(String name, String meaning, boolean isRequired, boolean isRepeated) {

    public Field(String name, String meaning, boolean isRequired) {
      this(name, meaning, isRequired, false);
    }

    static Field repeated(String name, String meaning) {
      return new Field(name, meaning, false, true);
    }
  }

  /** The work of an action. */
  @FunctionalInterface
  public interface Doing {
    Outcome perform(Changes changes, Parameters given);
  }
}
