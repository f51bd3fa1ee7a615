package io.millrace.worker;

import io.millrace.api.JobId;
import io.millrace.worker.JobRunEnd.Outcome;
import io.millrace.worker.RetryLog.Level;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A line for the log, and the stack below it.
 *
 * @param stack the exception whose stack is told, if any
 */
record FailureLine(Level level, String text, @Nullable Throwable stack) {

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");

  /** The kinds of ends that the log tells. */
  enum What {
    DIED("job died"),
    RETRIED("attempt failed, and is tried again"),
    /** A failure that no attempt follows and that nobody sees anywhere else. */
    LATE("handler threw after it had completed its job"),
    /** A failure of a handler whose job was another's by then, or gone, or is handed back. */
    ASIDE("handler threw, and its job does not fail of that"),
    /** The exception with which a handler gives up that was told to stop. */
    GAVE_UP("handler gave up");

    private final String sentence;

    What(String sentence) {
      this.sentence = sentence;
    }
  }

  /** The key by which lines are folded: those of one kind are told as one. */
  record Kind(What what, String type, String thrown) {}

  /** Returns the kind of the line that tells of a run; null if nothing is to be told. */
  static @Nullable Kind kind(RetryLog retries, EndedRun run) {
    @Nullable What what = what(run);
    if (what == null) {
      return null;
    }
    @Nullable Throwable thrown = run.thrown();
    String name = thrown == null ? "nothing" : thrown.getClass().getName();
    Kind kind = new Kind(what, run.lease().type(), name);
    return level(retries, kind, run) == Level.OFF ? null : kind;
  }

  private static @Nullable What what(EndedRun run) {
    if (run.outcome() == Outcome.DIED) {
      return What.DIED;
    }
    if (run.outcome() == Outcome.RETRIED) {
      return What.RETRIED;
    }
    @Nullable Throwable thrown = run.thrown();
    if (thrown == null) {
      return null;
    }
    if (run.outcome() == Outcome.COMPLETED) {
      return What.LATE;
    }
    boolean isAsTold =
        run.told() != null
            && (thrown instanceof InterruptedException || thrown instanceof JobStoppedException);
    return isAsTold ? What.GAVE_UP : What.ASIDE;
  }

  /** Returns the line that tells of a run. */
  static FailureLine of(String worker, RetryLog retries, Kind kind, EndedRun run) {
    String text =
        oneLine(
            String.format(
                Locale.ROOT,
                "%s: worker=%s, type=%s, job=%s, attempt=%d/%d, outcome=%s, error=%s",
                kind.what.sentence,
                worker,
                kind.type,
                run.lease().jobId(),
                run.lease().attempt(),
                run.lease().maxAttempts(),
                run.outcome(),
                run.why()));
    boolean hasStack =
        isFinal(kind.what)
            || isError(kind.what, run.thrown())
            || (retries.hasStack() && kind.what != What.GAVE_UP);
    return new FailureLine(level(retries, kind, run), text, hasStack ? run.thrown() : null);
  }

  /** Returns the level at which a line of the kind is told. */
  static Level level(RetryLog retries, Kind kind, EndedRun run) {
    if (isError(kind.what, run.thrown())) {
      return Level.ERROR;
    }
    if (kind.what == What.GAVE_UP) {
      return Level.DEBUG;
    }
    return isFinal(kind.what) ? Level.WARN : retries.level();
  }

  private static boolean isFinal(What what) {
    return what == What.DIED || what == What.LATE;
  }

  /** Tells whether the process may be in trouble, and not only a job. */
  private static boolean isError(What what, @Nullable Throwable thrown) {
    return thrown instanceof Error && (isFinal(what) || what == What.RETRIED);
  }

  /** Returns the line that tells how many others of a kind there were. */
  static FailureLine others(String worker, Kind kind, Level level, Others others) {
    return new FailureLine(
        level,
        oneLine(
            String.format(
                Locale.ROOT,
                "and %,d like it within %d s: %s: worker=%s, type=%s, thrown=%s, last=%s",
                others.count,
                others.seconds,
                kind.what.sentence,
                worker,
                kind.type,
                kind.thrown,
                others.last)),
        null);
  }

  /** A count of the others of one kind, the seconds in which they came, and the job of the last. */
  record Others(long count, long seconds, JobId last) {}

  /**
   * Returns the line that counts what could not be told one by one: ends of kinds beyond the limit,
   * or without memory for a line.
   */
  static FailureLine unnamed(String worker, long count) {
    String text =
        oneLine(
            String.format(
                Locale.ROOT,
                "and %,d that there is no room to tell one by one: worker=%s",
                count,
                worker));
    return new FailureLine(Level.WARN, text, null);
  }

  /**
   * Returns the text as one line, with a question mark for each control character: nobody can forge
   * further lines by names or errors.
   */
  static String oneLine(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /**
   * Writes the line. Throws what the logger throws, or what the exception throws while it is
   * described.
   */
  void write(Logger log) {
    switch (level) {
      case DEBUG -> log.debug(text, stack);
      case INFO -> log.info(text, stack);
      case WARN -> log.warn(text, stack);
      case ERROR -> log.error(text, stack);
      default -> {}
    }
  }

  /** Returns this line with the stack as text, for a logger that cannot describe the exception. */
  FailureLine plain() {
    return new FailureLine(level, stack == null ? text : text + "\n" + ErrorText.of(stack), null);
  }
}
