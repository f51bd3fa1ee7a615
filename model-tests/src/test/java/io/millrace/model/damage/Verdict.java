package io.millrace.model.damage;

/**
 * What became of a damaged store's jobs.
 *
 * @param text what the user was told, or what is wrong
 */
record Verdict(Kind kind, String text) {

  /** From harmless to what must never be. */
  enum Kind {
    /** Every job is as it was, and nobody was told anything. */
    UNHARMED,
    /** The store was not opened. */
    REFUSED,
    /** Calls failed, or rows were set aside, while it was worked. */
    TOLD,
    /** Only {@code verify} found it. */
    TOLD_BY_VERIFY,
    /** The process died in native code. */
    CRASHED,
    /** The process did not answer. */
    HUNG,
    /** Jobs are lost, or back, and nobody was told. */
    SILENT,
    /** A payload or result that is not the job's, or a failure that is none of ours. */
    WRONG
  }

  private static final String MARK = "verdict ";

  String line() {
    return MARK + kind + " " + text.replaceAll("\\s+", " ");
  }

  static boolean isVerdict(String line) {
    return line.startsWith(MARK);
  }

  static Verdict parse(String line) {
    String[] parts = line.split(" ", 3);
    return new Verdict(Kind.valueOf(parts[1]), parts[2]);
  }
}
