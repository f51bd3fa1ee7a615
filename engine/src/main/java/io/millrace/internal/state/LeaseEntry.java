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
 * A lease, from the claim to which it was granted until its end. Its {@link State} says what the
 * store knows of it:
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
 * that had ended. A lease that was granted with the batch ends, unless its holder was told. When
 * the store is opened again, leases that it has rows of are STORED, and the others wait for a row
 * again.
 *
 * <p>Two facts are independent of the state: whether the holder was told of the lease, so that its
 * time runs, and whether a cancel was requested.
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
  private final long tally;
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

  /** The states of a lease: what the store knows of it. */
  public enum State {
    /** A granted lease whose claim no stored batch counts yet. */
    GRANTED,
    /** A lease whose claim is counted and whose row waits for a batch. */
    WAITING,
    /** A lease whose row is in the batch under way. */
    IN_BATCH,
    /** A lease whose row is in the store. */
    STORED,
    /** A lease that has ended. */
    ENDED
  }

  /** The states of a cancel request for the job: none, in the batch under way, or in the store. */
  enum CancelMark {
    NONE,
    IN_BATCH,
    STORED
  }

  /** Creates a lease on a job whose record is at the given place in its line. */
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
    this.tally = job.tally();
    this.slot = SlotRef.orNull(SlotKeys.ofJob(queue, job));
    this.engineRate = job.engineRate();
    this.grantedMs = terms.grantedMs;
  }

  /**
   * The terms on which a lease was granted.
   *
   * @param token the lease's number
   * @param worker the worker that holds the lease
   * @param attempt the number of the start, among those of the job that count
   * @param startedAtMs engine time of the start
   * @param grantedMs the duration of the lease
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

  /** Returns the rate limit over all queues that the job names; null for none. */
  public @Nullable EngineRate engineRate() {
    return engineRate;
  }

  /** Returns the id of the job. */
  public JobId jobId() {
    Keyspace kind = Keyspace.of(birthKind);
    return new JobAddress(queue(), kind, birthPriority, birth()).toJobId();
  }

  /** Returns the job's type; null if the type is the name of its queue. */
  @Nullable String type() {
    return type;
  }

  public int priority() {
    return priority;
  }

  public long readySequence() {
    return readySequence;
  }

  /** Returns the key of the job's record, in READY. */
  public byte[] readyKey() {
    return ReadyKeys.key(queue(), priority, readySequence);
  }

  /**
   * Returns what the job owns beside its record. Its queue, its birth and the number of finished
   * attempts stay the same as long as the lease lasts, and may be read by any thread.
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

  /** Returns how long the job is to be kept once it is completed; 0 for the queue's setting. */
  public long resultRetentionMs() {
    return resultRetentionMs;
  }

  /** Returns the number of the tally that counts the job; 0 for none. */
  public long tally() {
    return tally;
  }

  /**
   * Returns the key of the SLOT row of the concurrency key of which the job holds a slot; null for
   * none.
   */
  public byte @Nullable [] slotKey() {
    return slot == null ? null : slot.key();
  }

  /** Returns the same concurrency key as {@link #slotKey}, to look its counts up; null for none. */
  public @Nullable SlotRef slot() {
    return slot;
  }

  /**
   * Returns the tokens that the start took of rate limits, as far as this process knows; null for
   * none.
   */
  @Nullable TakenTokens takenTokens() {
    return takenTokens;
  }

  /** Tells whether the start took any token that has not come back. */
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
   * Returns the duration of an extension that names none, which is also the duration of the lease
   * from a reopening on.
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

  /** Tells whether neither the store nor the batch under way has the row. */
  public boolean isRowless() {
    return state == State.GRANTED || state == State.WAITING;
  }

  /** Tells whether the store or the batch under way has the row. */
  public boolean hasRow() {
    return state == State.IN_BATCH || state == State.STORED;
  }

  boolean isEnded() {
    return state == State.ENDED;
  }

  /** Advances the state of the lease, once the batch under way is in the store. */
  void commitBatch() {
    if (state == State.GRANTED) {
      state = State.WAITING;
    } else if (state == State.IN_BATCH) {
      state = State.STORED;
    }
  }

  /** Tells whether the holder has been told of the lease, so that its time runs. */
  public boolean isTold() {
    return isTold;
  }

  /** Tells whether somebody asked for the job to be cancelled, so that it is not served again. */
  public boolean isCancelRequested() {
    return cancelMark != CancelMark.NONE;
  }

  /** Tells whether a commit holds the cancel request, so that the holder may know of it. */
  public boolean isCancelTold() {
    return cancelMark == CancelMark.STORED;
  }

  /** Sets whether a cancel was requested, as the store says. */
  public void restoreCancel(boolean wasRequested) {
    cancelMark = wasRequested ? CancelMark.STORED : CancelMark.NONE;
  }

  void setCancelMark(CancelMark value) {
    cancelMark = value;
  }

  /** Returns when the lease ends, on the lease clock; without meaning before the holder is told. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /**
   * Returns the lease's place in the heap of deadlines; {@link #NOT_IN_HEAP} if it is not there.
   */
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

  /** Lets the lease end earlier by this time. Must not be called while the lease is in the heap. */
  void shorten(long ns) {
    deadlineNs = deadlineNs - ns;
  }
}
