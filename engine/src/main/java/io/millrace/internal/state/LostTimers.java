package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs whose records are lost, and with them the times that tell where the jobs' TIMER rows are.
 * These rows are looked for in steps.
 *
 * <p>At most {@value #COUNT_MAX} jobs, in memory only. A row that is never looked for stays until
 * it is due, and means nothing then.
 */
public final class LostTimers {

  static final int COUNT_MAX = 10_000;

  private final Set<Long> births = new HashSet<>();
  private byte[] next = Keyspace.TIMER.start();

  LostTimers() {}

  /**
   * Adds a job whose row is looked for, from the beginning on; ignores it if there are too many.
   */
  public void add(long birth) {
    if (births.size() < COUNT_MAX) {
      births.add(birth);
    }
    next = Keyspace.TIMER.start();
  }

  /** Tells whether no row is looked for. */
  public boolean isEmpty() {
    return births.isEmpty();
  }

  public boolean contains(long birth) {
    return births.contains(birth);
  }

  /** Returns the key from which on to look. */
  public byte[] next() {
    return next;
  }

  /**
   * Notes that everything before the row was looked at, or all there is if the row is null.
   *
   * @return the action that takes this back if the batch never happens
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
