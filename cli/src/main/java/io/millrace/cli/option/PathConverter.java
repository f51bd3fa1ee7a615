package io.millrace.cli.option;

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

  /**
   * Returns why a text is no path. Java reads the command line by the locale, and characters that
   * do not fit it cannot be part of a path any more.
   */
  public static String reason() {
    return "not a path in this locale, whose encoding is %s; try LC_ALL=C.UTF-8"
        .formatted(System.getProperty("sun.jnu.encoding"));
  }
}
