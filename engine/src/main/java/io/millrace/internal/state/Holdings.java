package io.millrace.internal.state;

import io.millrace.api.Limits;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.spi.WriteBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job owns in the store beside its record: MOVED if it is not where it was born, BLOB if its
 * payload is large and another if its state is, HISTORY of the attempts that have finished, TIMER
 * if its record names a time, UNIQUE if it holds a key until it is started or has ended, SIGNAL if
 * signals are kept for it, and more of these for their long payloads. One method for each event of
 * its life says what goes or is replaced; what is put where the record is, {@link OwnedRows} say.
 *
 * <p>All of it follows from the record and its place, so that nothing has to be looked for. Of a
 * job that nobody has started the TIMER row ends the time to live, of one that waits for a signal
 * the wait, of one that is dead or done the retention; a leased job has none.
 *
 * @param queue number of the job's queue
 * @param birth birth sequence of the job
 * @param hasMoved whether a MOVED row tells where the record is
 * @param blobVersion version of the payload's BLOB row; 0 if it is in the record
 * @param stateVersion version of the BLOB row of the last checkpoint's state; 0 if there is none
 * @param finishedAttempts how many attempts have finished over the job's whole life
 * @param timer what the TIMER row is about; null if there is none
 * @param timeMs time of the TIMER row
 * @param uniqueKey the unique key that goes with the job's end; null if it holds none, or holds it
 *     for a time
 * @param isFreedAtStart whether that key is free as soon as the job is started
 * @param hasInbox whether signals may be kept for it
 * @param inboxSlots how many slots payloads of these may have
 */
public record Holdings(
    int queue,
    long birth,
    boolean hasMoved,
    int blobVersion,
    int stateVersion,
    int finishedAttempts,
    TimerKeys.@Nullable Kind timer,
    long timeMs,
    byte @Nullable [] uniqueKey,
    boolean isFreedAtStart,
    boolean hasInbox,
    int inboxSlots) {

  /**
   * The most rows that a job owns, but for payloads of signals: MOVED, BLOB twice, TIMER, UNIQUE,
   * SIGNAL, and HISTORY.
   */
  public static final int ROW_COUNT_MAX = 6 + Limits.HISTORY_COUNT_MAX;

  /** What the job owns whose record is at the key, and not leased. */
  public static Holdings of(int queue, byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    return keyspace == Keyspace.READY
        ? inLine(queue, ReadyKeys.sequence(key), job)
        : of(queue, job, true, keyspace);
  }

  /** What the job owns that is in a line with the ready sequence. */
  public static Holdings inLine(int queue, long sequence, JobRecord job) {
    boolean isAtBirth = job.birthKind() == Keyspace.READY && job.birth() == sequence;
    return of(queue, job, !isAtBirth, Keyspace.READY);
  }

  private static Holdings of(int queue, JobRecord job, boolean hasMoved, Keyspace keyspace) {
    boolean isHolder = job.holdsUniqueKey(keyspace);
    long timeMs = job.timerMs(keyspace);
    return new Holdings(
        queue,
        job.birth(),
        hasMoved,
        job.payload().blobVersion(),
        job.stateVersion(),
        job.earlierAttempts() + job.attempts(),
        timeMs == 0 ? null : TimerKeys.Kind.in(keyspace),
        timeMs,
        isHolder ? job.uniqueKey() : null,
        isHolder && job.uniqueScope() == UniqueRecord.UNTIL_STARTED,
        job.hasInbox(),
        job.inboxSlots());
  }

  /** Keys from the first to the second, exclusive. */
  public record Range(byte[] start, byte[] end) {}

  /**
   * Where all of it is, but for the TIMER row, of a job whose record cannot be read: that row's
   * time is in the record.
   */
  public static List<Range> ranges(int queue, long birth) {
    byte[] moved = MovedKeys.key(queue, birth);
    byte[] inbox = InboxKeys.key(queue, birth);
    return List.of(
        new Range(moved, Bytes.prefixEnd(moved)),
        new Range(inbox, Bytes.prefixEnd(inbox)),
        new Range(BlobKeys.jobStart(queue, birth), BlobKeys.jobEnd(queue, birth)),
        new Range(HistoryKeys.jobStart(queue, birth), HistoryKeys.jobEnd(queue, birth)));
  }

  /**
   * The job gets another payload, and what it owns from now on.
   *
   * @param version version of its BLOB row; 0 if it is in the record
   * @param content what is in that row
   */
  public Holdings replacePayload(WriteBatch batch, int version, BlobRecord content) {
    replaceBlob(batch, blobVersion, version, content);
    return withBlobs(version, stateVersion);
  }

  /** As {@link #replacePayload}, of the state that a checkpoint keeps. */
  public Holdings replaceState(WriteBatch batch, int version, BlobRecord content) {
    replaceBlob(batch, stateVersion, version, content);
    return withBlobs(blobVersion, version);
  }

  private Holdings withBlobs(int ofPayload, int ofState) {
    return new Holdings(
        queue,
        birth,
        hasMoved,
        ofPayload,
        ofState,
        finishedAttempts,
        timer,
        timeMs,
        uniqueKey,
        isFreedAtStart,
        hasInbox,
        inboxSlots);
  }

  /** The same of a job for which signals are kept from now on, with payloads in so many slots. */
  public Holdings withInbox(int slots) {
    return new Holdings(
        queue,
        birth,
        hasMoved,
        blobVersion,
        stateVersion,
        finishedAttempts,
        timer,
        timeMs,
        uniqueKey,
        isFreedAtStart,
        true,
        slots);
  }

  private void replaceBlob(WriteBatch batch, int before, int version, BlobRecord content) {
    if (version != 0) {
      byte[] key = BlobKeys.key(queue, birth, version);
      batch.put(key, content.encode(key));
    }
    deleteBlob(batch, before);
  }

  private void deleteBlob(WriteBatch batch, int version) {
    if (version != 0) {
      batch.delete(BlobKeys.key(queue, birth, version));
    }
  }

  /** The same of a job that somebody works on. */
  public Holdings leased() {
    return timer == null ? this : with(null, 0, uniqueKey, isFreedAtStart);
  }

  /** Whether something goes when the job is started: the end of its time to live, or its key. */
  public boolean endsAtStart() {
    return timer != null || isFreedAtStart;
  }

  /** The same of a job that was started: what goes with that has gone. */
  public Holdings started() {
    return endsAtStart() ? with(null, 0, isFreedAtStart ? null : uniqueKey, false) : this;
  }

  /** The same of a job whose key is free. */
  public Holdings withoutKey() {
    return with(timer, timeMs, null, false);
  }

  private Holdings with(
      TimerKeys.@Nullable Kind kind, long ms, byte @Nullable [] key, boolean isStillFreed) {
    return new Holdings(
        queue,
        birth,
        hasMoved,
        blobVersion,
        stateVersion,
        finishedAttempts,
        kind,
        ms,
        key,
        isStillFreed,
        hasInbox,
        inboxSlots);
  }

  /** What was to end the job at its time will not: it is started, or lives again. */
  public void endTimer(WriteBatch batch) {
    if (timer != null) {
      batch.delete(TimerKeys.key(timeMs, queue, timer, birth));
    }
  }

  /** The job has ended, or was started: nobody but it may have held the key. */
  public void freeKey(WriteBatch batch) {
    if (uniqueKey != null) {
      batch.delete(UniqueKeys.key(queue, uniqueKey));
    }
  }

  /** The job is completed, or no more: no signal is kept for it. */
  public void dropInbox(WriteBatch batch) {
    if (hasInbox) {
      batch.delete(InboxKeys.key(queue, birth));
    }
  }

  /** As that, of the payloads that are in rows of their own. */
  public void dropInboxPayloads(WriteBatch batch) {
    for (int slot = 0; slot < inboxSlots; slot++) {
      batch.delete(InboxPayloadKeys.key(queue, birth, slot));
    }
  }

  /** The job is no more; {@link #dropInboxPayloads} is apart. */
  public void ended(WriteBatch batch) {
    endTimer(batch);
    freeKey(batch);
    dropInbox(batch);
    if (hasMoved) {
      batch.delete(MovedKeys.key(queue, birth));
    }
    deleteBlob(batch, blobVersion);
    deleteBlob(batch, stateVersion);
    int oldest = Math.max(1, finishedAttempts - Limits.HISTORY_COUNT_MAX + 1);
    for (int number = oldest; number <= finishedAttempts; number++) {
      batch.delete(HistoryKeys.key(queue, birth, number));
    }
  }
}
