package io.millrace.cli.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an age such as {@code 90s}, {@code 15m}, {@code 12h} or {@code 7d}. */
public final class AgeConverter implements ITypeConverter<Duration> {

  private static final Pattern SHAPE = Pattern.compile("([0-9]{1,9})([smhd])");

  @Override
  public Duration convert(String value) {
    Matcher matcher = SHAPE.matcher(value);
    if (!matcher.matches()) {
      throw new TypeConversionException("an age is a number and s, m, h or d, such as 15m");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
