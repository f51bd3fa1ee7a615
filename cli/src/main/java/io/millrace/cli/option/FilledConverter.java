package io.millrace.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Takes a text as it is, unless it is empty, as a script makes it of a variable without a value.
 */
public final class FilledConverter implements ITypeConverter<String> {

  public static final String EMPTY = "it is empty";

  @Override
  public String convert(String value) {
    if (value.isEmpty()) {
      throw new TypeConversionException(EMPTY);
    }
    return value;
  }
}
