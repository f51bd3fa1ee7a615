package io.millrace.engine.jmx;

import java.util.Arrays;
import java.util.Locale;

/** Constants that tools name by texts. */
final class Named {

  private Named() {}

  /**
   * Returns the constant of this name, in whatever case.
   *
   * @throws IllegalArgumentException there is none
   */
  static <E extends Enum<E>> E of(String parameter, String name, Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    parameter
                        + " is unknown: value=\""
                        + name
                        + "\", known="
                        + Arrays.toString(type.getEnumConstants())));
  }
}
