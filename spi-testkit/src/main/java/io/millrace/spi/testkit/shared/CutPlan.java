package io.millrace.spi.testkit.shared;

import java.util.EnumMap;
import java.util.Map;

/** What is to befall the connection of one node, and what it has come by so far. Thread-safe. */
final class CutPlan {

  private final Map<CutPoint, Planned> planned = new EnumMap<>(CutPoint.class);
  private final Map<CutPoint, Long> counts = new EnumMap<>(CutPoint.class);
  private boolean isCutOff;

  /** What befalls a connection. */
  enum Cut {
    NONE,
    /** Breaks, and is made anew. */
    BREAK,
    /** Breaks, and cannot be made anew. */
    CUT_OFF
  }

  private record Planned(Cut cut, Runnable what) {}

  /** The connection broke; the caller may make it anew. */
  static final class BrokenException extends Exception {
    private static final long serialVersionUID = 1L;

    BrokenException(CutPoint point) {
      super("the connection broke: point=" + point);
    }
  }

  /** The connection cannot be made. */
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

  /** The connection comes to a point. What is planned runs here, on the thread of the store. */
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

  /** The connection is made anew after it broke. */
  void reconnect(CutPoint point) throws CutOffException {
    requireReachable(point);
  }

  private synchronized void requireReachable(CutPoint point) throws CutOffException {
    if (isCutOff) {
      throw new CutOffException(point);
    }
  }
}
