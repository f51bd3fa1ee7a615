package io.millrace.internal.state;

import io.millrace.api.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * A lease on a whole queue, in memory. The store never hears of it.
 *
 * <p>What holders and operators are told may be read by any thread. Only the loop's thread changes
 * it.
 */
public final class QueueLeaseEntry {

  private final QueueName queue;
  private final long token;
  private final String worker;
  private final long startedAtMs;
  private long grantedMs;
  private volatile long deadlineNs;
  private volatile boolean isTold;
  private volatile boolean isEnded;
  private @Nullable GapAllowance gaps;

  /**
   * Creates a lease that nobody was told of yet.
   *
   * @param startedAtMs engine time of the grant
   * @param grantedMs the lease's duration from the moment when its holder is told
   */
  public QueueLeaseEntry(
      QueueName queue, long token, String worker, long startedAtMs, long grantedMs) {
    this.queue = queue;
    this.token = token;
    this.worker = worker;
    this.startedAtMs = startedAtMs;
    this.grantedMs = grantedMs;
  }

  public QueueName queue() {
    return queue;
  }

  public long token() {
    return token;
  }

  public String worker() {
    return worker;
  }

  public long startedAtMs() {
    return startedAtMs;
  }

  /** Returns the lease's duration after a reopening. For the loop's thread. */
  public long grantedMs() {
    return grantedMs;
  }

  void setGrantedMs(long value) {
    grantedMs = value;
  }

  /** Tells whether the holder was told, so that the lease's time runs. */
  public boolean isTold() {
    return isTold;
  }

  /** Tells whether the lease has ended. */
  public boolean isEnded() {
    return isEnded;
  }

  void setEnded(boolean value) {
    isEnded = value;
  }

  /** Returns when the lease ends, on the lease clock; without meaning before the holder is told. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /** Tells whether the lease's time is over at the given time of the lease clock. */
  public boolean isOver(long leaseNs) {
    return isTold && deadlineNs - leaseNs <= 0;
  }

  void start(long deadline) {
    deadlineNs = deadline;
    isTold = true;
    gaps = null;
  }

  /**
   * Adds a gap in which the lease clock stood still, and returns how much of it the lease does not
   * get, in nanoseconds.
   */
  long addGap(long gapNs, long leaseNs) {
    if (gaps == null) {
      gaps = new GapAllowance(Math.max(0, deadlineNs - leaseNs));
    }
    return gaps.add(gapNs);
  }

  /**
   * Lets the lease end earlier by this time. Must not be called while the lease is in an order of
   * ends.
   */
  void shorten(long ns) {
    deadlineNs = deadlineNs - ns;
  }
}
