package io.millrace.worker;

import java.util.Objects;

/**
 * How the log is told of an attempt that failed and will be tried again: one line each, with its
 * stack or without. Immutable: start from one of the constants. That a job died is always told, as
 * a warning with the whole stack.
 */
public final class RetryLog {

  /** Nothing is told until the job dies. */
  public static final RetryLog OFF = new RetryLog(Level.OFF, false);

  /** A line at this level. */
  public static final RetryLog DEBUG = new RetryLog(Level.DEBUG, false);

  /** A line at this level. */
  public static final RetryLog INFO = new RetryLog(Level.INFO, false);

  /** A line at this level. */
  public static final RetryLog WARN = new RetryLog(Level.WARN, false);

  private final Level level;
  private final boolean hasStack;

  /** At which level something is told. */
  enum Level {
    OFF,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  private RetryLog(Level level, boolean hasStack) {
    this.level = level;
    this.hasStack = hasStack;
  }

  /** The same with the whole stack of what was thrown. */
  public RetryLog withStack() {
    return new RetryLog(level, true);
  }

  Level level() {
    return level;
  }

  boolean hasStack() {
    return hasStack;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RetryLog that && level == that.level && hasStack == that.hasStack;
  }

  @Override
  public int hashCode() {
    return Objects.hash(level, hasStack);
  }

  @Override
  public String toString() {
    return level + (hasStack ? " with stack" : "");
  }
}
