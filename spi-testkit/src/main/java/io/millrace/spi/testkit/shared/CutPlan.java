package io.millrace.spi.testkit.shared;

import java.util.EnumMap;
import java.util.Map;

/**
 * The cuts that are planned for the connection of one node, and counts of the points that it
 * passed. Thread-safe.
 */
final class CutPlan {

  private final Map<CutPoint, Planned> planned = new EnumMap<>(CutPoint.class);
  private final Map<CutPoint, Long> counts = new EnumMap<>(CutPoint.class);
  private boolean isCutOff;

  /** Cut of a connection. */
  enum Cut {
    NONE,
    /** A break, after which the connection is made anew. */
    BREAK,
    /** A break, after which the connection cannot be made anew. */
    CUT_OFF
  }

  private record Planned(Cut cut, Runnable what) {}

  /** Thrown when the connection broke; the caller may make it anew. */
  static final class BrokenException extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenException(CutPoint point) {
      super("the connection broke: point=" + point);
    }
  }

  /** Thrown when the connection cannot be made. */
  static final class CutOffException extends Exception {
    private static final long serialVersionUID = 1L;

    CutOffException(CutPoint point) {
      super("the database cannot be reached: point=" + point);
    }
  }

  synchronized void put(CutPoint point, Cut cut, Runnable what) {
    planned.put(point, new Planned(cut, what));
  }

  synchronized void cutOff() {
    isCutOff = true;
  }

  synchronized void heal() {
    isCutOff = false;
  }

  synchronized long count(CutPoint point) {
    return counts.getOrDefault(point, 0L);
  }

  /**
   * Counts that the connection passes a point, and carries out what is planned there, on the thread
   * of the store.
   */
  void pass(CutPoint point) throws BrokenException, CutOffException {
    Planned met;
    synchronized (this) {
      counts.merge(point, 1L, Long::sum);
      met = planned.remove(point);
      isCutOff |= met != null && met.cut == Cut.CUT_OFF;
    }
    if (met != null) {
      met.what.run();
    }
    requireReachable(point);
    if (met != null && met.cut == Cut.BREAK) {
      throw new BrokenException(point);
    }
  }

  /** Makes the connection anew after it broke. */
  void reconnect(CutPoint point) throws CutOffException {
    requireReachable(point);
  }

  private synchronized void requireReachable(CutPoint point) throws CutOffException {
    if (isCutOff) {
      throw new CutOffException(point);
    }
  }
}
