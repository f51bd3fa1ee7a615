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
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.spi.WriteBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a job owns in the store beside its record: MOVED if it is not where it was born,
 * BLOB if its payload is large and another if its state is, HISTORY of the attempts that have
 * finished, TIMER if its record names a time, UNIQUE if it holds a key until it is started or has
 * ended, SIGNAL if signals are kept for it, and more of these for their long payloads. Each event
 * of the job's life has a method here, which says what is deleted or replaced. What is put beside
 * the record, {@link OwnedRows} says.
 *
 * <p>All of it follows from the record and its place, so that nothing has to be looked for. The
 * TIMER row of a job that nobody has started ends its time to live, that of a job that waits for a
 * signal ends the wait, and that of a dead or done job ends the retention. A leased job has none.
 *
 * @param queue number of the job's queue
 * @param birth birth sequence of the job
 * @param hasMoved whether a MOVED row tells where the record is
 * @param blobVersion version of the payload's BLOB row; 0 if the payload is in the record
 * @param checkpointedVersion version of the BLOB row of the last checkpoint; 0 if there is none
 * @param finishedAttempts how many attempts have finished over the job's whole life
 * @param timer the kind of the TIMER row; null if there is none
 * @param timeMs time of the TIMER row
 * @param uniqueKey the unique key that is freed with the job's end; null if the job holds none, or
 *     holds it for a time
 * @param isFreedAtStart whether that key is freed as soon as the job is started
 * @param hasInbox whether signals may be kept for the job
 * @param inboxSlots how many slots the payloads of these signals may have
 */
public record Holdings(
    int queue,
    long birth,
    boolean hasMoved,
    int blobVersion,
    int checkpointedVersion,
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

  /** Returns what a job owns that is not leased and whose record is at the key. */
  public static Holdings of(int queue, byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    return keyspace == Keyspace.READY
        ? inLine(queue, ReadyKeys.sequence(key), job)
        : of(queue, job, true, keyspace);
  }

  /** Returns what a job owns that is in a line, at the place of the given ready sequence. */
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
        job.checkpointedVersion(),
        job.earlierAttempts() + job.attempts(),
        timeMs == 0 ? null : StateTraits.in(keyspace).timer(),
        timeMs,
        isHolder ? job.uniqueKey() : null,
        isHolder && job.uniqueScope() == UniqueRecord.UNTIL_STARTED,
        job.hasInbox(),
        job.inboxSlots());
  }

  /** The keys from the start, inclusive, to the end, exclusive. */
  public record Range(byte[] start, byte[] end) {}

  /**
   * Returns the ranges of all rows that a job owns whose record cannot be read, except for its
   * TIMER row: the time of that row is in the record.
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
   * Replaces the payload of the job, and returns what the job owns from now on.
   *
   * @param version version of the BLOB row of the new payload; 0 if the payload is in the record
   * @param content the value of that row
   */
  public Holdings replacePayload(WriteBatch batch, int version, BlobRecord content) {
    replaceBlob(batch, blobVersion, version, content);
    return withBlobs(version, checkpointedVersion);
  }

  /** Replaces the state that a checkpoint keeps; see {@link #replacePayload} for the parameters. */
  public Holdings replaceState(WriteBatch batch, int version, BlobRecord content) {
    replaceBlob(batch, checkpointedVersion, version, content);
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

  /**
   * Returns these holdings for a job for which signals are kept from now on, with payloads in so
   * many slots.
   */
  public Holdings withInbox(int slots) {
    return new Holdings(
        queue,
        birth,
        hasMoved,
        blobVersion,
        checkpointedVersion,
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

  /** Returns these holdings for a job that is leased. */
  public Holdings leased() {
    return timer == null ? this : with(null, 0, uniqueKey, isFreedAtStart);
  }

  /**
   * Tells whether something is deleted when the job is started: its TIMER row or its unique key.
   */
  public boolean endsAtStart() {
    return timer != null || isFreedAtStart;
  }

  /** Returns these holdings for a job that was started, without what is deleted at the start. */
  public Holdings started() {
    return endsAtStart() ? with(null, 0, isFreedAtStart ? null : uniqueKey, false) : this;
  }

  /** Returns these holdings for a job whose unique key is free. */
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
        checkpointedVersion,
        finishedAttempts,
        kind,
        ms,
        key,
        isStillFreed,
        hasInbox,
        inboxSlots);
  }

  /** Deletes the TIMER row: the job is started or lives again, and does not end at that time. */
  public void endTimer(WriteBatch batch) {
    if (timer != null) {
      batch.delete(TimerKeys.key(timeMs, queue, timer, birth));
    }
  }

  /**
   * Deletes the row of the unique key: the job has ended or was started, and no other job may have
   * held the key until then.
   */
  public void freeKey(WriteBatch batch) {
    if (uniqueKey != null) {
      batch.delete(UniqueKeys.key(queue, uniqueKey));
    }
  }

  /** Deletes the signals that are kept for the job, which is completed or gone. */
  public void dropInbox(WriteBatch batch) {
    if (hasInbox) {
      batch.delete(InboxKeys.key(queue, birth));
    }
  }

  /** Deletes the payloads of kept signals that are in rows of their own. */
  public void dropInboxPayloads(WriteBatch batch) {
    for (int slot = 0; slot < inboxSlots; slot++) {
      batch.delete(InboxPayloadKeys.key(queue, birth, slot));
    }
  }

  /** Deletes all that the job owned, which is gone, except for {@link #dropInboxPayloads}. */
  public void ended(WriteBatch batch) {
    endTimer(batch);
    freeKey(batch);
    dropInbox(batch);
    if (hasMoved) {
      batch.delete(MovedKeys.key(queue, birth));
    }
    deleteBlob(batch, blobVersion);
    deleteBlob(batch, checkpointedVersion);
    int oldest = Math.max(1, finishedAttempts - Limits.HISTORY_COUNT_MAX + 1);
    for (int number = oldest; number <= finishedAttempts; number++) {
      batch.delete(HistoryKeys.key(queue, birth, number));
    }
  }
}
