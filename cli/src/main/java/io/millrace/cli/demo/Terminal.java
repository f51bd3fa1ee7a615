package io.millrace.cli.demo;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Whether a person watches. */
final class Terminal {

  private Terminal() {}

  static Progress.Style progressStyle() {
    return isPresent(System.console()) ? Progress.Style.BAR : Progress.Style.LINES;
  }

  private static boolean isPresent(@Nullable Console console) {
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
