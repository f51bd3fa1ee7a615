package io.millrace.jmh;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of arguments to regular expressions. */
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
