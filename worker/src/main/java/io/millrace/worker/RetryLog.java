package io.millrace.worker;

import java.util.Objects;

/**
 * The way in which the log is told of failed attempts that will be tried again: one line for each,
 * with its stack or without. Immutable: start from one of the constants. The death of a job is
 * always told, as a warning, or as an error if an {@link Error} caused it, with the whole stack.
 */
public final class RetryLog {

  /** Silence until the job dies. */
  public static final RetryLog OFF = new RetryLog(Level.OFF, false);

  /** A line at this level. */
  public static final RetryLog DEBUG = new RetryLog(Level.DEBUG, false);

  /** A line at this level. */
  public static final RetryLog INFO = new RetryLog(Level.INFO, false);

  /** A line at this level. */
  public static final RetryLog WARN = new RetryLog(Level.WARN, false);

  private final Level level;
  private final boolean hasStack;

  /** The level of a line. */
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

  /** Adds the whole stack of the exception to each line. */
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
