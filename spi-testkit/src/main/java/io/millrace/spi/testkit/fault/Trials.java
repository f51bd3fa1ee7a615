package io.millrace.spi.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Numbers of trials of the fault tests: few in the everyday build, more in continuous integration,
 * most in the nightly build. The Maven profiles {@code ci} and {@code nightly} choose, also by
 * tags: the everyday build leaves {@code thorough} out, and {@code quick} leaves out {@code slow},
 * too.
 */
public final class Trials {

  private enum Effort {
    QUICK,
    EVERYDAY,
    CI,
    NIGHTLY
  }

  private static final Effort EFFORT =
      Effort.valueOf(System.getProperty("millrace.effort", "everyday").toUpperCase(Locale.ROOT));

  private Trials() {}

  /**
   * Returns how many trials of a kind to make; {@code -Dmillrace.NAME=COUNT} sets another number.
   */
  public static int count(String name, int everyday, int ci, int nightly) {
    int chosen =
        switch (EFFORT) {
          case QUICK, EVERYDAY -> everyday;
          case CI -> ci;
          case NIGHTLY -> nightly;
        };
    return Integer.getInteger("millrace." + name, chosen);
  }

  /**
   * Returns how many made-up cases to go over, each as cheap as the other. The quick build takes a
   * tenth.
   */
  public static int cases(int count) {
    return EFFORT == Effort.QUICK ? Math.max(1, count / 10) : count;
  }

  /**
   * Returns the seed of the trials: a new one for each run, to be named by every failure. {@code
   * -Dmillrace.seed=SEED} repeats an earlier run.
   */
  public static long seed() {
    return Long.getLong("millrace.seed", System.nanoTime());
  }

  /**
   * Returns the seed of trials that are the same in each run, so that a change is judged by what it
   * changes. The nightly build has a new one each time.
   */
  public static long seedOfChanges() {
    return EFFORT == Effort.NIGHTLY ? seed() : Long.getLong("millrace.seed", 1);
  }

  /**
   * Says on the console, and in the file {@code trials.log} of the module's build folder, what a
   * test tried and found.
   */
  public static void report(Class<?> test, String found) {
    String line = test.getSimpleName() + ": " + found;
    System.out.println(line);
    String log = System.getProperty("millrace.trials.log");
    if (log != null) {
      try {
        Files.writeString(
            Path.of(log), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
