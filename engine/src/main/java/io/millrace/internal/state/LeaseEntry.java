package io.millrace.internal.state;

import io.millrace.api.JobId;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.SlotKeys;
import org.jspecify.annotations.Nullable;

/**
 * A lease, from the claim that was granted it to its end. Its {@link State} says what the store
 * knows of it:
 *
 * <pre>
 *   claim         batch is stored
 *   ─────► GRANTED ─────────────► WAITING            each of the four
 *             │                      │                      │
 *             │      row is put      │                      │ complete, release, expiry...
 *             └──────────┬───────────┘                      ▼
 *                        ▼     batch is stored            ENDED
 *                    IN_BATCH ────────────────► STORED
 * </pre>
 *
 * <p>If a batch never happens, its leases go back to the states that they had before it, also those
 * that had ended. A lease that was granted with it ends, unless its holder was told. When the store
 * is opened again, leases that it has rows of are STORED, and the others wait for a row again.
 *
 * <p>Two facts are independent of the state: whether the holder was told of the lease, from when on
 * its time runs, and whether a cancel was requested.
 *
 * <p>Belongs to the commit loop; {@link #deadlineNs()} and {@link #isCancelTold()} may be read by
 * any thread.
 */
public final class LeaseEntry {

  static final int NOT_IN_HEAP = -1;

  private final long token;
  private final String worker;

  // One byte each, so that what is kept for JFR takes no more memory.
  private final byte priority;
  private final byte birthPriority;
  private final byte birthKind;
  private final @Nullable String type;
  private final long readySequence;
  private final int attempt;
  private final long startedAtMs;
  private final long resultRetentionMs;
  private final @Nullable SlotRef slot;
  private final @Nullable EngineRate engineRate;
  private Holdings holdings;
  private long grantedMs;
  private int heapIndex = NOT_IN_HEAP;
  private State state = State.GRANTED;
  private boolean isTold;
  private volatile CancelMark cancelMark = CancelMark.NONE;
  private volatile long deadlineNs;
  private @Nullable GapAllowance gaps;
  private @Nullable TakenTokens takenTokens;

  /** What the store knows of a lease. */
  public enum State {
    /** No stored batch counts its claim yet. */
    GRANTED,
    /** Its claim is counted; its row waits for a batch. */
    WAITING,
    /** The batch under way has its row. */
    IN_BATCH,
    /** The store has its row. */
    STORED,
    /** It is no more. */
    ENDED
  }

  /** Whether somebody asked for the job to be cancelled, and where the mark that says so is. */
  enum CancelMark {
    NONE,
    IN_BATCH,
    STORED
  }

  /** A lease on a job whose record is at the given place in its line. */
  public LeaseEntry(int queue, JobRecord job, long readySequence, Terms terms) {
    this.priority = (byte) job.priority();
    this.birthPriority = (byte) job.birthPriority();
    this.birthKind = job.birthKind().code();
    this.type = job.type();
    this.readySequence = readySequence;
    this.holdings = Holdings.inLine(queue, readySequence, job);
    this.token = terms.token;
    this.worker = terms.worker;
    this.attempt = terms.attempt;
    this.startedAtMs = terms.startedAtMs;
    this.resultRetentionMs = job.resultRetentionMs();
    this.slot = SlotRef.orNull(SlotKeys.ofJob(queue, job));
    this.engineRate = job.engineRate();
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

  /** The rate limit over all queues that the job names; null for none. */
  public @Nullable EngineRate engineRate() {
    return engineRate;
  }

  /** The id of the job. */
  public JobId jobId() {
    Keyspace kind = Keyspace.of(birthKind);
    return new JobAddress(queue(), kind, birthPriority, birth()).toJobId();
  }

  /** What kind of work the job is; null if it is named as its queue. */
  @Nullable String type() {
    return type;
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

  /** Key of the SLOT row of the concurrency key of which the job holds a slot; null for none. */
  public byte @Nullable [] slotKey() {
    return slot == null ? null : slot.key();
  }

  /** As {@link #slotKey}, for who asks for its counts. */
  public @Nullable SlotRef slot() {
    return slot;
  }

  /** What it took of rate limits, as far as this process knows; null for nothing. */
  @Nullable TakenTokens takenTokens() {
    return takenTokens;
  }

  /** Whether it took any token that has not come back. */
  public boolean hasTokens() {
    return takenTokens != null;
  }

  void setTakenTokens(@Nullable TakenTokens value) {
    takenTokens = value;
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

  public State state() {
    return state;
  }

  void setState(State value) {
    state = value;
  }

  /** Whether neither the store nor the batch under way has its row. */
  public boolean isRowless() {
    return state == State.GRANTED || state == State.WAITING;
  }

  /** Whether the store or the batch under way has its row. */
  public boolean hasRow() {
    return state == State.IN_BATCH || state == State.STORED;
  }

  boolean isEnded() {
    return state == State.ENDED;
  }

  /** The batch under way is in the store. */
  void commitBatch() {
    if (state == State.GRANTED) {
      state = State.WAITING;
    } else if (state == State.IN_BATCH) {
      state = State.STORED;
    }
  }

  /** Whether its holder has been told, so that its time runs. */
  public boolean isTold() {
    return isTold;
  }

  /** Whether somebody asked for the job to be cancelled: it is not served again. */
  public boolean isCancelRequested() {
    return cancelMark != CancelMark.NONE;
  }

  /** As {@link #isCancelRequested}, once a commit holds it: what holders may know. */
  public boolean isCancelTold() {
    return cancelMark == CancelMark.STORED;
  }

  /** The store says whether a cancel was requested. */
  public void restoreCancel(boolean wasRequested) {
    cancelMark = wasRequested ? CancelMark.STORED : CancelMark.NONE;
  }

  void setCancelMark(CancelMark value) {
    cancelMark = value;
  }

  /** When the lease ends, on the lease clock; no meaning before its holder is told. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /** Where it is in the heap of deadlines; {@link #NOT_IN_HEAP} if it is not. */
  int heapIndex() {
    return heapIndex;
  }

  void setHeapIndex(int value) {
    heapIndex = value;
  }

  void start(long deadline) {
    isTold = true;
    deadlineNs = deadline;
    gaps = null;
  }

  /** The lease clock stood still for a while. Answers how much of that it does not get. */
  long addGap(long gapNs, long leaseNs) {
    if (gaps == null) {
      gaps = new GapAllowance(Math.max(0, deadlineNs - leaseNs));
    }
    return gaps.add(gapNs);
  }

  /** Ends that much earlier; not while it is in the heap. */
  void shorten(long ns) {
    deadlineNs = deadlineNs - ns;
  }
}
