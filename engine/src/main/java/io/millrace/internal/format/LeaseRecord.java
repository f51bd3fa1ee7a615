package io.millrace.internal.format;

import java.util.Objects;

/**
 * A lease. On disk, never change.
 *
 * <pre>
 *  tag 1  number  lease token; 0 by default
 *      2  text    worker; empty by default
 *      3  number  process id of the holder; 0 by default
 *      4  number  start of that process, epoch ms; 0 by default
 *      5  number  granted duration, ms; 0 by default
 *      6  number  start of the lease, epoch ms; 0 by default
 *      7  number  attempt; 1 by default
 *      8  byte    priority of the job; 0 by default
 *      9  number  ready sequence; by default the birth sequence, which is in the key
 *     10  flag    a cancel was requested
 * </pre>
 *
 * <p>The job's record is at {@code ReadyKeys.key(queue, priority, readySequence)}.
 */
public record LeaseRecord(
    long token,
    String worker,
    Incarnation incarnation,
    long grantedMs,
    long startedAtMs,
    int attempt,
    int priority,
    long readySequence,
    boolean cancelRequested) {

  private static final int TOKEN = 1;
  private static final int WORKER = 2;
  private static final int PID = 3;
  private static final int PROCESS_START = 4;
  private static final int GRANTED = 5;
  private static final int STARTED_AT = 6;
  private static final int ATTEMPT = 7;
  private static final int PRIORITY = 8;
  private static final int READY_SEQUENCE = 9;
  private static final int CANCEL_REQUESTED = 10;

  public LeaseRecord {
    Objects.requireNonNull(worker, "worker");
    Objects.requireNonNull(incarnation, "incarnation");
    KeyLayout.checkPriority(priority);
    KeyLayout.checkSequence(readySequence);
  }

  /**
   * Tells whether a store of this epoch may have granted the lease on the job of this birth. No
   * token is of a later epoch than the store, or of an earlier one than the job.
   */
  public boolean mayBeOn(long birth, long epoch) {
    long granted = Sequences.epoch(token);
    return token != 0 && granted <= epoch && granted >= Sequences.epoch(birth);
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.number(TOKEN, token, 0);
    writer.text(WORKER, worker.isEmpty() ? null : worker);
    writer.number(PID, incarnation.pid(), 0);
    writer.number(PROCESS_START, incarnation.processStartMs(), 0);
    writer.number(GRANTED, grantedMs, 0);
    writer.number(STARTED_AT, startedAtMs, 0);
    writer.number(ATTEMPT, attempt, 1);
    writer.signedByte(PRIORITY, priority, 0);
    writer.number(READY_SEQUENCE, readySequence, LeaseKeys.birth(key));
    writer.flag(CANCEL_REQUESTED, cancelRequested);
    return writer.seal(key);
  }

  public static LeaseRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.LEASE, key, value, LeaseRecord::read);
  }

  private static LeaseRecord read(RecordReader reader) {
    long token = 0;
    String worker = "";
    long pid = 0;
    long processStartMs = 0;
    long grantedMs = 0;
    long startedAtMs = 0;
    int attempt = 1;
    int priority = 0;
    long readySequence = LeaseKeys.birth(reader.key());
    boolean isCancelRequested = false;
    while (reader.next()) {
      switch (reader.tag()) {
        case TOKEN -> token = reader.number();
        case WORKER -> worker = reader.text();
        case PID -> pid = reader.number();
        case PROCESS_START -> processStartMs = reader.number();
        case GRANTED -> grantedMs = reader.number();
        case STARTED_AT -> startedAtMs = reader.number();
        case ATTEMPT -> attempt = reader.intNumber();
        case PRIORITY -> priority = reader.signedByte();
        case READY_SEQUENCE -> readySequence = reader.number();
        case CANCEL_REQUESTED -> isCancelRequested = reader.flag();
        default -> {}
      }
    }
    return new LeaseRecord(
        token,
        worker,
        new Incarnation(pid, processStartMs),
        grantedMs,
        startedAtMs,
        attempt,
        priority,
        readySequence,
        isCancelRequested);
  }

  /** Returns the key of the leased job's record, which stays there. */
  public byte[] readyKey(int queue) {
    return ReadyKeys.key(queue, priority, readySequence);
  }
}
