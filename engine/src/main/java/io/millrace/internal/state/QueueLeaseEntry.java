package io.millrace.internal.state;

import io.millrace.api.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * A lease on a whole queue, as memory keeps it. The store never hears of it.
 *
 * <p>What is told to holders and operators may be read by any thread; it is changed by the loop's
 * alone.
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
   * One that nobody was told of yet.
   *
   * @param startedAtMs engine time
   * @param grantedMs how long it lasts from the moment when its holder is told
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

  /** How long it lasts after a reopening; for the loop's thread. */
  public long grantedMs() {
    return grantedMs;
  }

  void setGrantedMs(long value) {
    grantedMs = value;
  }

  /** Whether its holder was told, so that its time runs. */
  public boolean isTold() {
    return isTold;
  }

  /** Whether it is no more. */
  public boolean isEnded() {
    return isEnded;
  }

  void setEnded(boolean value) {
    isEnded = value;
  }

  /** When it ends, on the lease clock; no meaning before its holder is told. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /** Whether its time was over at a moment of the lease clock. */
  public boolean isOver(long leaseNs) {
    return isTold && deadlineNs - leaseNs <= 0;
  }

  void start(long deadline) {
    deadlineNs = deadline;
    isTold = true;
    gaps = null;
  }

  /** The lease clock stood still for a while. Answers how much of that it does not get. */
  long addGap(long gapNs, long leaseNs) {
    if (gaps == null) {
      gaps = new GapAllowance(Math.max(0, deadlineNs - leaseNs));
    }
    return gaps.add(gapNs);
  }

  /** Ends that much earlier; not while it is in an order of ends. */
  void shorten(long ns) {
    deadlineNs = deadlineNs - ns;
  }
}
