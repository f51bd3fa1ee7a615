package io.millrace.cli.option;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an instant. */
public final class InstantConverter implements ITypeConverter<Instant> {

  @Override
  public Instant convert(String value) {
    try {
      return Instant.parse(value);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException("an instant is such as 2030-01-31T12:00:00Z");
    }
  }
}
