package io.millrace.internal.state;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.ReadyKeys;

/**
 * A lease that was granted and not ended. Belongs to the commit loop; {@link #deadlineNs()} and
 * {@link #isCancelTold()} may be read by any thread.
 */
public final class LeaseEntry {

  static final int NO_PLACE = -1;

  private final long token;
  private final String worker;
  private final int priority;
  private final long readySequence;
  private final int attempt;
  private final long startedAtMs;
  private final long resultRetentionMs;
  private Holdings holdings;
  private long grantedMs;
  private int endPlace = NO_PLACE;
  private boolean isRunning;
  private boolean isWritten;
  private boolean hasRow;
  private boolean isCounted;
  private boolean isCancelRequested;
  private volatile boolean isCancelTold;
  private volatile long deadlineNs;

  /**
   * What gaps have added to its life since the first of them, the longest, and what was left then.
   */
  private long gapsNs;

  private long longestGapNs;
  private long leftNs;

  /** A lease on a job whose record is at the given place in its line. */
  public LeaseEntry(int queue, JobRecord job, long readySequence, Terms terms) {
    this.priority = job.priority();
    this.readySequence = readySequence;
    this.holdings = Holdings.inLine(queue, readySequence, job);
    this.token = terms.token;
    this.worker = terms.worker;
    this.attempt = terms.attempt;
    this.startedAtMs = terms.startedAtMs;
    this.resultRetentionMs = job.resultRetentionMs();
    this.grantedMs = terms.grantedMs;
  }

  /**
   * What was granted.
   *
   * @param token the lease's number
   * @param worker to whom
   * @param attempt as which counted start
   * @param startedAtMs when
   * @param grantedMs for how long
   */
  public record Terms(long token, String worker, int attempt, long startedAtMs, long grantedMs) {}

  public int queue() {
    return holdings.queue();
  }

  public long token() {
    return token;
  }

  public String worker() {
    return worker;
  }

  public long birth() {
    return holdings.birth();
  }

  public int priority() {
    return priority;
  }

  public long readySequence() {
    return readySequence;
  }

  /** Where the job's record is. */
  public byte[] readyKey() {
    return ReadyKeys.key(queue(), priority, readySequence);
  }

  /**
   * What the job owns beside its record. Its queue, its birth and how many attempts have finished
   * stay the same as long as the lease lasts, and may be read by any thread.
   */
  public Holdings holdings() {
    return holdings;
  }

  public void setHoldings(Holdings value) {
    holdings = value;
  }

  public int attempt() {
    return attempt;
  }

  /** How long the job is to be kept once it is completed; 0 for what the queue says. */
  public long resultRetentionMs() {
    return resultRetentionMs;
  }

  public long startedAtMs() {
    return startedAtMs;
  }

  /**
   * How long an extension without a duration of its own lasts, and a full duration after a
   * reopening.
   */
  public long grantedMs() {
    return grantedMs;
  }

  public void setGrantedMs(long value) {
    grantedMs = value;
  }

  /** Whether its holder has been told, so that its time runs. */
  public boolean isRunning() {
    return isRunning;
  }

  /** Whether a commit holds its LEASE row. */
  public boolean isWritten() {
    return isWritten;
  }

  void setWritten(boolean value) {
    isWritten = value;
    hasRow = value;
  }

  /** Whether the store or the batch under way has its LEASE row. */
  public boolean hasRow() {
    return hasRow;
  }

  /** The batch under way has its LEASE row. */
  public void noteRow() {
    hasRow = true;
  }

  /** Whether the batch that granted it has happened, so that the tally has counted the claim. */
  public boolean isCounted() {
    return isCounted;
  }

  /** The batch that granted it, or put its row, or both, has happened. */
  void noteCommit() {
    setWritten(hasRow);
    isCounted = true;
  }

  /** Whether somebody asked for the job to be cancelled: it is not served again. */
  public boolean isCancelRequested() {
    return isCancelRequested;
  }

  /** As {@link #isCancelRequested}, once a commit holds it: what holders may know. */
  public boolean isCancelTold() {
    return isCancelTold;
  }

  /** The store says whether a cancel was requested. */
  public void restoreCancel(boolean wasRequested) {
    isCancelRequested = wasRequested;
    isCancelTold = wasRequested;
  }

  void setCancelRequested(boolean value) {
    isCancelRequested = value;
  }

  void tellCancel() {
    isCancelTold = isCancelRequested;
  }

  /** When the lease ends, on the lease clock; no meaning before it runs. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /** Where it is in the heap of ends; {@link #NO_PLACE} if it is not. */
  int endPlace() {
    return endPlace;
  }

  void setEndPlace(int value) {
    endPlace = value;
  }

  void start(long deadline) {
    isRunning = true;
    deadlineNs = deadline;
    gapsNs = 0;
    longestGapNs = 0;
  }

  /**
   * The lease clock stood still for a while. Answers how much of that is more than the lease may be
   * given: what it had left to run before the first gap, and the longest gap.
   */
  long addGap(long gapNs, long leaseNs) {
    if (gapsNs == 0) {
      leftNs = Math.max(0, deadlineNs - leaseNs);
    }
    longestGapNs = Math.max(longestGapNs, gapNs);
    long tooMuchNs = Math.max(0, gapsNs + gapNs - leftNs - longestGapNs);
    gapsNs += gapNs - tooMuchNs;
    return tooMuchNs;
  }

  /** Ends that much earlier; not while it is in the heap of ends. */
  void shorten(long ns) {
    deadlineNs = deadlineNs - ns;
  }
}
