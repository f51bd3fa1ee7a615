package io.millrace.jmh;

import io.millrace.cli.text.Terminal;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Progress;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks of what the benchmarks are given, made before anything is measured. */
final class Given {

  private static final double NS_PER_SECOND = 1e9;

  private Given() {}

  /**
   * Returns a length for so many rounds, of which each lasts at least a millisecond.
   *
   * @throws IllegalArgumentException it is too short or too long
   */
  static Duration length(double seconds, int roundCount) {
    double least = Math.max(1, roundCount) / 1e3;
    long most = LoadOptions.MEASURED_MAX.toSeconds();
    if (!(seconds >= least && seconds <= most)) {
      throw new IllegalArgumentException(
          "--seconds is from %s to %d: %s".formatted(plain(least), most, seconds));
    }
    return Duration.ofNanos(Math.round(seconds * NS_PER_SECOND));
  }

  /**
   * Returns the length of a warm-up, rounded to milliseconds; it may be none.
   *
   * @throws IllegalArgumentException it is negative or too long
   */
  static Duration warmUp(double seconds) {
    long most = LoadOptions.MEASURED_MAX.toSeconds();
    if (!(seconds >= 0 && seconds <= most)) {
      throw new IllegalArgumentException("--warm-up is from 0 to %d: %s".formatted(most, seconds));
    }
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** Returns the supplier's result. Arguments that the supplier refuses are the user's mistake. */
  static <T> T checked(CommandSpec command, Supplier<T> options) {
    try {
      return options.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the progress of the command: shown on the terminal that it writes to, or nowhere. */
  static Progress progress(CommandSpec command) {
    return Terminal.isPresent() ? Progress.on(command.commandLine().getOut()) : Progress.unseen();
  }
}
