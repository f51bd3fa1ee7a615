package io.millrace.cli.text;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** The terminal at which a person watches, if there is one. */
public final class Terminal {

  private Terminal() {}

  /** Tells whether standard input and output are a terminal. */
  public static boolean isPresent() {
    return isTerminal(System.console());
  }

  private static boolean isTerminal(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      // From JDK 22 on there may be a console without a terminal; only those releases have this
      // method.
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }
}
