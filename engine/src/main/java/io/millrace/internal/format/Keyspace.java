package io.millrace.internal.format;

import io.millrace.api.JobState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of row: the first byte of every key. The codes are on disk, never change.
 *
 * <p>Each keyspace tells code that goes over rows of every kind: the owner of the rows, and the
 * state of a job that they stand for. {@link RowCheck} has what their keys and values hold.
 */
public enum Keyspace {
  /** name => facts about the store. */
  META(0x01, Owner.STORE),
  /** queue name, tenant => number and settings. */
  QUEUE(0x02, Owner.STORE),
  /** queue number => name and tenant, or that it was dropped. */
  QUEUE_NAME(0x03, Owner.QUEUE),
  /** queue => counts and heads. */
  COUNTERS(0x04, Owner.QUEUE),
  /** time, key => a corrupt row as it was found. */
  QUARANTINE(0x05, Owner.STORE),
  /** queue, birth sequence => lease of the job whose record is at its READY key. */
  LEASE(0x06, JobState.LEASED),
  /** queue, visibleAt, birth sequence => job. */
  DELAYED(0x07, JobState.DELAYED),
  /**
   * queue, owner of the concurrency key, concurrency key, 127 - priority, sequence at entry => job.
   */
  BLOCKED(0x08, JobState.BLOCKED),
  /**
   * queue, concurrency key => number of its holders and of its blocked jobs. Keys of the engine
   * have queue 0; with 127 - priority and sequence => a blocked job's turn.
   */
  SLOT(0x09, Owner.JOBS),
  /** queue, signal, birth sequence => job. */
  WAITING(0x0A, JobState.WAITING),
  /**
   * queue, signal => a broadcast that found nobody waiting; queue, birth sequence => the signals
   * that are kept for the job; with a slot => the payload of one of them; queue 0, sequence => a
   * broadcast that has not reached all jobs yet.
   */
  SIGNAL(0x0B, Owner.JOBS),
  /** queue, time of death, birth sequence => job. */
  DEAD(0x0C, JobState.DEAD),
  /** queue, time of completion, birth sequence => job. */
  DONE(0x0D, JobState.DONE),
  /** queue, birth sequence, attempt => one finished attempt. */
  HISTORY(0x0E, Owner.JOBS),
  /** time, queue, kind, birth sequence or hash => key of the row whose time it is. */
  TIMER(0x0F, Owner.TIME),
  /** time, queue => nothing: look at this queue at this time. */
  AGENDA(0x10, Owner.TIME),
  /** queue, unique key => its holder. */
  UNIQUE(0x11, Owner.JOBS),
  /** queue, birth sequence => key of the job's record. */
  MOVED(0x12, Owner.JOBS),
  /** queue, birth sequence, version => payload and headers. */
  BLOB(0x13, Owner.JOBS),
  /** table, key => the user's own row. */
  TABLE(0x14, Owner.STORE),
  /**
   * queue, 127 - priority, ready sequence => job. This keyspace is the last, for a B-tree that is
   * appended to fills its pages only while nothing lies behind: ADR 33.
   */
  READY(0x15, JobState.READY);

  private static final Keyspace[] BY_CODE = new Keyspace[0x16];
  private static final Keyspace[] BY_STATE = new Keyspace[JobState.values().length];
  private static final List<Keyspace> OF_JOBS;

  static {
    List<Keyspace> ofJobs = new ArrayList<>();
    for (Keyspace keyspace : values()) {
      BY_CODE[keyspace.code] = keyspace;
      if (keyspace.state != null) {
        BY_STATE[keyspace.state.ordinal()] = keyspace;
      }
      if (keyspace.isOfJobs()) {
        ofJobs.add(keyspace);
      }
    }
    OF_JOBS = List.copyOf(ofJobs);
  }

  /** The owners of rows. Each says where in the keys the queue's number is. */
  public enum Owner {
    /** The store or its user: no queue's number is in the key. */
    STORE(0),
    /**
     * A queue as a whole, with one row in each keyspace. They go before all others when the queue
     * is deleted, or last.
     */
    QUEUE(KeyLayout.QUEUE),
    /**
     * The jobs of a queue. When the queue is deleted their rows go in steps, keyspace by keyspace.
     */
    JOBS(KeyLayout.QUEUE),
    /** A queue whose rows are in the order of time. Each goes with the row that names it. */
    TIME(KeyLayout.QUEUE_AFTER_TIME);

    private final int queueAt;

    Owner(int queueAt) {
      this.queueAt = queueAt;
    }

    /** Tells whether each row is of one queue, whose number is in the key. */
    boolean isOfQueues() {
      return queueAt > 0;
    }
  }

  private final byte code;
  private final Owner owner;
  private final @Nullable JobState state;

  Keyspace(int code, JobState state) {
    this(code, Owner.JOBS, state);
  }

  Keyspace(int code, Owner owner) {
    this(code, owner, null);
  }

  Keyspace(int code, Owner owner, @Nullable JobState state) {
    this.code = (byte) code;
    this.owner = owner;
    this.state = state;
  }

  /** Returns the first byte of the keyspace's keys. */
  public byte code() {
    return code;
  }

  public Owner owner() {
    return owner;
  }

  /** Returns the state of the jobs that the rows tell of; null if they are not about a state. */
  public @Nullable JobState state() {
    return state;
  }

  /**
   * Returns the keyspace of the rows that tell of jobs in the state: job records, but leases for
   * leased jobs.
   */
  public static Keyspace of(JobState state) {
    return BY_STATE[state.ordinal()];
  }

  /**
   * Returns the keyspace with the code.
   *
   * @throws IllegalArgumentException there is none
   */
  public static Keyspace of(byte code) {
    Keyspace keyspace = find(code);
    if (keyspace == null) {
      throw new IllegalArgumentException("keyspace code is not known: code=" + (code & 0xff));
    }
    return keyspace;
  }

  /**
   * Returns the keyspace that the key is in.
   *
   * @throws IllegalArgumentException the key is empty or in no keyspace
   */
  public static Keyspace ofKey(byte[] key) {
    if (key.length == 0) {
      throw new IllegalArgumentException("key is empty");
    }
    return of(key[0]);
  }

  /** Returns the keyspace that the key is in; null if it is in none. */
  public static @Nullable Keyspace find(byte[] key) {
    return key.length > 0 ? find(key[0]) : null;
  }

  /** Returns the keyspace with the code; null if there is none. */
  static @Nullable Keyspace find(byte code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  /** Returns the keyspace with the greatest keys. */
  public static Keyspace last() {
    return BY_CODE[BY_CODE.length - 1];
  }

  /**
   * Tells whether the rows are job records. The keyspace of a job's record says its state, but for
   * leased jobs, whose records stay in READY.
   */
  public boolean isOfJobs() {
    return state != null && this != LEASE;
  }

  /** Returns the keyspaces of job records, in the order of their codes. */
  public static List<Keyspace> ofJobs() {
    return OF_JOBS;
  }

  /** Returns the least key that may be in the keyspace. */
  public byte[] start() {
    return new byte[] {code};
  }

  /** Returns the exclusive end of the keyspace's keys. */
  public byte[] end() {
    return new byte[] {(byte) (code + 1)};
  }

  /**
   * Tells whether the keys begin with the number of a queue, so that each queue has a range of
   * them.
   */
  public boolean isByQueue() {
    return owner.queueAt == KeyLayout.QUEUE;
  }

  /** Returns the least key that the queue may have in the keyspace, which is by queue. */
  public byte[] queueStart(int queue) {
    return KeyLayout.queueKey(this, queue, KeyLayout.AFTER_QUEUE);
  }

  /**
   * Returns the exclusive end of the queue's keys in the keyspace, which is by queue. The highest
   * number wraps into the sign bit, which is right in unsigned order.
   */
  public byte[] queueEnd(int queue) {
    byte[] end = queueStart(queue);
    Bytes.putInt(end, KeyLayout.QUEUE, queue + 1);
    return end;
  }

  /** Returns the number of the queue whose row is at the key; negative if it is no queue's. */
  public static int queue(byte[] key) {
    Keyspace keyspace = find(key);
    int at = keyspace == null ? 0 : keyspace.owner.queueAt;
    return at == 0 || key.length < at + Integer.BYTES ? -1 : Bytes.getInt(key, at);
  }
}
