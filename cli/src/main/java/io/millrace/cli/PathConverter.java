package io.millrace.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a path; an empty one, which Java takes for the working directory, is refused. */
public final class PathConverter implements ITypeConverter<Path> {

  @Override
  public Path convert(String value) {
    if (value.isEmpty()) {
      throw new TypeConversionException(FilledConverter.EMPTY);
    }
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(reason());
    }
  }

  /** Java reads the command line by the locale, and what does not fit cannot be a path any more. */
  static String reason() {
    return "not a path in this locale, whose encoding is %s; try LC_ALL=C.UTF-8"
        .formatted(System.getProperty("sun.jnu.encoding"));
  }
}
