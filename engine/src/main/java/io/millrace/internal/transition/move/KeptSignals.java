package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signals that came before any job waited for them: broadcasts, the last one of each name, for a
 * time; and signals for one job, in the order in which they came.
 */
public final class KeptSignals {

  private KeptSignals() {}

  /**
   * Returns the broadcast that is kept under the row's key; null if there is none, or its time has
   * passed.
   *
   * @throws CorruptDataException the row is damaged; it will be set aside
   */
  public static @Nullable SignalRecord broadcast(OpenBatch batch, byte[] rowKey) {
    SignalRecord stored = stored(batch, rowKey);
    return stored == null || stored.expiryMs() <= batch.steadyMs() ? null : stored;
  }

  private static @Nullable SignalRecord stored(OpenBatch batch, byte[] rowKey) {
    byte[] value = batch.get(rowKey);
    try {
      return value == null ? null : SignalRecord.decode(rowKey, value);
    } catch (CorruptDataException e) {
      batch.reportCorrupt(rowKey);
      throw e;
    }
  }

  /**
   * Keeps a broadcast in place of the one of its name before.
   *
   * @throws CorruptDataException the row of the one before is damaged; it will be set aside
   */
  public static void keep(OpenBatch batch, byte[] rowKey, SignalRecord broadcast) {
    SignalRecord before = stored(batch, rowKey);
    if (before != null) {
      batch.delete(OwnedRows.timer(rowKey, before).key());
    }
    batch.put(rowKey, broadcast.encode(rowKey));
    batch.putOwned(OwnedRows.timer(rowKey, broadcast));
  }

  /**
   * Deletes the kept broadcast of a name because a newer one came that is not kept.
   *
   * @throws CorruptDataException the row of the kept one is damaged; it will be set aside
   */
  public static void forget(OpenBatch batch, byte[] rowKey) {
    SignalRecord before = stored(batch, rowKey);
    if (before != null) {
      drop(batch, rowKey, before);
    }
  }

  /**
   * Deletes a kept broadcast, because a job has it now or it is out of date, with the timer that
   * would have deleted it.
   */
  public static void drop(OpenBatch batch, byte[] rowKey, SignalRecord broadcast) {
    batch.delete(rowKey);
    batch.delete(OwnedRows.timer(rowKey, broadcast).key());
  }

  /**
   * Returns the signals that are kept for one job, of which the row may be lost.
   *
   * @throws CorruptDataException the row is damaged; it will be set aside
   */
  public static InboxRecord inbox(OpenBatch batch, int queue, long birth) {
    byte[] key = InboxKeys.key(queue, birth);
    byte[] value = batch.get(key);
    try {
      return value == null ? InboxRecord.EMPTY : InboxRecord.decode(key, value);
    } catch (CorruptDataException e) {
      batch.reportCorrupt(key);
      throw e;
    }
  }

  /**
   * Returns the signals that will be kept for the job when the plans made so far are carried out.
   * Reads those that are kept now, so that asking for them again cannot fail.
   *
   * @param queue number of the job's queue; a queue that does not exist yet gets it with the job
   * @param job the job's record as the plans leave it
   * @throws CorruptDataException the row of the kept signals is damaged; it will be set aside
   */
  public static InboxRecord planned(OpenBatch batch, int queue, JobRecord job) {
    if (!job.hasInbox()) {
      return batch.planned().inbox(job.birth(), InboxRecord.EMPTY);
    }
    byte[] key = InboxKeys.key(queue, job.birth());
    if (batch.writes().find(key) == WriteBatch.ABSENT) {
      batch.reads().wantByKey(key);
      batch.reads().fetch();
    }
    return batch.planned().inbox(job.birth(), inbox(batch, queue, job.birth()));
  }

  /**
   * Returns the payload of a signal that is kept for one job.
   *
   * @throws CorruptDataException its row is missing or damaged; the signal will be given up
   */
  public static byte[] payload(OpenBatch batch, int queue, long birth, InboxRecord.Kept signal) {
    if (signal.payload() != null) {
      return signal.payload();
    }
    byte[] key = InboxPayloadKeys.key(queue, birth, signal.slot());
    byte[] value = batch.get(key);
    try {
      if (value == null) {
        throw new CorruptDataException(
            "payload of a signal is missing: keyspace=SIGNAL, key=" + Bytes.hex(key));
      }
      return SignalRecord.decode(key, value).payload();
    } catch (CorruptDataException e) {
      batch.reportCorrupt(key);
      throw e;
    }
  }

  /**
   * Gives up the signal whose payload at the key is lost, if it is still kept: it is as if it had
   * not come.
   */
  public static void giveUp(OpenBatch batch, byte[] payloadKey) {
    int slot = InboxPayloadKeys.slot(payloadKey);
    int queue = InboxPayloadKeys.queue(payloadKey);
    long birth = InboxPayloadKeys.birth(payloadKey);
    try {
      InboxRecord inbox = inbox(batch, queue, birth);
      for (InboxRecord.Kept signal : inbox.signals()) {
        if (signal.slot() == slot) {
          setInbox(batch, queue, birth, inbox.without(signal));
        }
      }
    } catch (CorruptDataException e) {
      // It is set aside, and the other payloads with it.
    }
  }

  /**
   * Sets aside the payloads of the job's signals, because the inbox row that named them is lost.
   */
  public static void setAsidePayloads(OpenBatch batch, byte[] inboxKey) {
    List<Row> payloads = new ArrayList<>();
    batch.scan(
        inboxKey, Bytes.prefixEnd(inboxKey), (key, value) -> payloads.add(new Row(key, value)));
    payloads.forEach(
        row -> SetAside.row(batch, row.key(), row.value(), "payload of a signal that is lost"));
  }

  /**
   * Keeps these signals for the job, or none. Payloads that were read from no row get their rows.
   */
  public static void setInbox(OpenBatch batch, int queue, long birth, InboxRecord inbox) {
    byte[] key = InboxKeys.key(queue, birth);
    if (inbox.signals().isEmpty()) {
      batch.delete(key);
    } else {
      batch.put(key, inbox.encode(key));
    }
    for (InboxRecord.Kept signal : inbox.signals()) {
      byte[] payload = signal.payload();
      if (signal.hasRow() && payload != null) {
        byte[] payloadKey = InboxPayloadKeys.key(queue, birth, signal.slot());
        batch.put(payloadKey, new SignalRecord(payload, 0).encode(payloadKey));
      }
    }
  }
}
