package io.millrace.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Takes a text as it is, but for an empty one: what a script leaves of a variable without value.
 */
final class FilledConverter implements ITypeConverter<String> {

  static final String EMPTY = "it is empty";

  @Override
  public String convert(String value) {
    if (value.isEmpty()) {
      throw new TypeConversionException(EMPTY);
    }
    return value;
  }
}
