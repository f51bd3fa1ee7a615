package io.millrace.jmh;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a regular expression. */
final class RegexConverter implements ITypeConverter<Pattern> {

  @Override
  public Pattern convert(String value) {
    try {
      return Pattern.compile(value);
    } catch (PatternSyntaxException e) {
      throw new TypeConversionException(
          "'%s' is no regular expression: %s".formatted(value, e.getDescription()));
    }
  }
}
