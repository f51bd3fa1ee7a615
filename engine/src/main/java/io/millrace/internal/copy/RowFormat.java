package io.millrace.internal.copy;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QuarantineRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRecord;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whether a row is one that the format has: its key is laid out as it says, its record is whole.
 */
final class RowFormat {

  private static final int QUEUE_END = 1 + Integer.BYTES;

  private RowFormat() {}

  /** What is wrong with the row; null if nothing is. */
  static @Nullable String flaw(byte[] key, byte[] value) {
    if (Keyspace.find(key) == null) {
      return "row is of no known keyspace: key=" + Bytes.hex(key);
    }
    try {
      decode(Keyspace.ofKey(key), key, value);
      return null;
    } catch (CorruptDataException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The queue that a key which begins with one is of; negative if it is of none. */
  static int queue(byte[] key) {
    return key.length < QUEUE_END ? -1 : Bytes.getInt(key, 1);
  }

  private static void decode(Keyspace keyspace, byte[] key, byte[] value) {
    switch (keyspace) {
      case META -> decodeMeta(key, value);
      case QUEUE, QUEUE_NAME, COUNTERS -> decodeQueue(keyspace, key, value);
      case READY, DELAYED, BLOCKED, WAITING, DEAD, DONE -> decodeJob(keyspace, key, value);
      case LEASE, MOVED, BLOB, HISTORY -> decodeBeside(keyspace, key, value);
      case SLOT, UNIQUE, SIGNAL -> decodePart(keyspace, key, value);
      case TIMER, AGENDA, TABLE, QUARANTINE -> decodeShared(keyspace, key, value);
    }
  }

  /** A fact that a newer engine added is not for this one to judge. */
  private static void decodeMeta(byte[] key, byte[] value) {
    if (Arrays.equals(key, MetaKeys.FORMAT)) {
      MetaRecords.Format.decode(value);
    } else if (Arrays.equals(key, MetaKeys.CLEAN_STOP)) {
      MetaRecords.CleanStop.decode(value);
    } else if (Arrays.equals(key, MetaKeys.TIME)) {
      MetaRecords.Time.decode(value);
    } else if (Arrays.equals(key, MetaKeys.QUEUE_NUMBERS)) {
      MetaRecords.QueueNumbers.decode(value);
    }
  }

  private static void decodeQueue(Keyspace keyspace, byte[] key, byte[] value) {
    switch (keyspace) {
      case QUEUE -> {
        QueueKeys.name(key);
        QueueRecord.decode(key, value);
      }
      case QUEUE_NAME -> {
        checkQueue(keyspace, key, QueueNameKeys.queue(key));
        QueueNameRecord.decode(key, value);
      }
      default -> {
        checkQueue(keyspace, key, CounterKeys.queue(key));
        CountersRecord.decode(key, value);
      }
    }
  }

  private static void decodeJob(Keyspace keyspace, byte[] key, byte[] value) {
    checkQueue(keyspace, key, queue(key));
    JobRecord.decode(key, value);
    if (keyspace == Keyspace.READY && ReadyKeys.sequence(key) < 0) {
      throw corrupt(keyspace, key, "sequence is negative");
    }
    if (keyspace == Keyspace.BLOCKED && BlockedKeys.sequence(key) < 0) {
      throw corrupt(keyspace, key, "sequence is negative");
    }
  }

  private static void decodeBeside(Keyspace keyspace, byte[] key, byte[] value) {
    checkQueue(keyspace, key, queue(key));
    long birth;
    switch (keyspace) {
      case LEASE -> {
        birth = LeaseKeys.birth(key);
        LeaseRecord.decode(key, value);
      }
      case MOVED -> {
        birth = MovedKeys.birth(key);
        MovedRecord.decode(key, value);
      }
      case BLOB -> {
        birth = BlobKeys.birth(key);
        BlobRecord.decode(key, value);
      }
      default -> {
        birth = HistoryKeys.birth(key);
        HistoryRecord.decode(key, value);
      }
    }
    if (birth < 0) {
      throw corrupt(keyspace, key, "birth sequence is negative");
    }
  }

  private static void decodePart(Keyspace keyspace, byte[] key, byte[] value) {
    checkQueue(keyspace, key, queue(key));
    switch (keyspace) {
      case SLOT -> {
        SlotKeys.concurrencyKey(key);
        SlotRecord.decode(key, value);
      }
      case UNIQUE -> {
        UniqueKeys.uniqueKey(key);
        UniqueRecord.decode(key, value);
      }
      default -> {
        SignalKeys.signal(key);
        SignalRecord.decode(key, value);
      }
    }
  }

  private static void decodeShared(Keyspace keyspace, byte[] key, byte[] value) {
    switch (keyspace) {
      case TIMER -> {
        TimerKeys.kind(key);
        checkQueue(keyspace, key, TimerKeys.queue(key));
        TimerRecord.decode(key, value);
      }
      case AGENDA -> {
        checkQueue(keyspace, key, AgendaKeys.queue(key));
        if (value.length > 0) {
          throw corrupt(keyspace, key, "value is not empty");
        }
      }
      case TABLE -> {
        TableKeys.table(key);
        TableRecord.decode(key, value);
      }
      default -> {
        QuarantineKeys.originalKey(key);
        QuarantineRecord.decode(key, value);
      }
    }
  }

  private static void checkQueue(Keyspace keyspace, byte[] key, int queue) {
    if (queue < 0) {
      throw corrupt(keyspace, key, "key is of no queue");
    }
  }

  private static CorruptDataException corrupt(Keyspace keyspace, byte[] key, String reason) {
    return new CorruptDataException(
        "stored row is corrupt: keyspace="
            + keyspace
            + ", key="
            + Bytes.hex(key)
            + ", reason="
            + reason);
  }
}
