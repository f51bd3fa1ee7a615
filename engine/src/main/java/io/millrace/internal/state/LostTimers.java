package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs whose records are lost, and with them the only ones to say where their TIMER rows are: these
 * are to be looked for, in steps.
 *
 * <p>At most {@value #COUNT_MAX}, and in memory only. A row that is never looked for stays until it
 * is due, and means nothing then.
 */
public final class LostTimers {

  static final int COUNT_MAX = 10_000;

  private final Set<Long> births = new HashSet<>();
  private byte[] next = Keyspace.TIMER.start();

  LostTimers() {}

  /** Looks for the row of one more job, from the beginning. */
  public void add(long birth) {
    if (births.size() < COUNT_MAX) {
      births.add(birth);
    }
    next = Keyspace.TIMER.start();
  }

  /** Whether nothing is looked for. */
  public boolean isEmpty() {
    return births.isEmpty();
  }

  public boolean contains(long birth) {
    return births.contains(birth);
  }

  /** From where on to look. */
  public byte[] next() {
    return next;
  }

  /**
   * Everything before the row was looked at; null if that is all there is.
   *
   * @return to be called if that never happened
   */
  public Runnable moveTo(byte @Nullable [] row) {
    Set<Long> before = row == null ? Set.copyOf(births) : Set.of();
    if (row == null) {
      births.clear();
    }
    next = row == null ? Keyspace.TIMER.start() : row;
    return () -> {
      births.addAll(before);
      next = Keyspace.TIMER.start();
    };
  }
}
