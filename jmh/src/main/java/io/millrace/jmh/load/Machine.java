package io.millrace.jmh.load;

/** The machine that measures, as text. */
public final class Machine {

  private Machine() {}

  /** Returns processors, system and Java, on one line. */
  public static String line() {
    return "%d processors, %s %s, Java %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            System.getProperty("java.version"));
  }
}
