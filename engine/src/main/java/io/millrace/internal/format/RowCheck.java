package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import org.jspecify.annotations.Nullable;

/**
 * The check of rows of every keyspace: a key by its layout, a value by the record that it holds.
 * Code that goes over rows of every kind asks here whether one is damaged.
 */
public final class RowCheck {

  private RowCheck() {}

  /**
   * Checks the layout of a key, which is in a keyspace. The checksum of a record does not: it
   * covers a key of a wrong length as well as any.
   *
   * @throws CorruptDataException the key does not have the layout of its keyspace
   */
  public static void check(byte[] key) {
    Keyspace keyspace = Keyspace.ofKey(key);
    Object part = part(keyspace, key);
    if (keyspace.owner().isOfQueues() && Keyspace.queue(key) < 0) {
      throw KeyLayout.corrupt(keyspace, key, "key is of no queue");
    }
    if (part instanceof Number number && number.longValue() < 0) {
      throw KeyLayout.corrupt(keyspace, key, "number is negative");
    }
  }

  /** Returns the flaw of a key, which is in a keyspace, whatever its value; null if it has none. */
  public static @Nullable String flaw(byte[] key) {
    try {
      check(key);
      return null;
    } catch (CorruptDataException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Returns the flaw of a row; null if it has none. */
  public static @Nullable String flaw(byte[] key, byte[] value) {
    Keyspace keyspace = Keyspace.find(key);
    if (keyspace == null) {
      return "row is of no known keyspace: key=" + Bytes.hex(key);
    }
    try {
      check(key);
      record(keyspace, key, value);
      return null;
    } catch (CorruptDataException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Reads a part of the key by its layout, which checks that. If the part is a number, it must not
   * be negative.
   */
  private static Object part(Keyspace keyspace, byte[] key) {
    return switch (keyspace) {
      case META -> key;
      case QUEUE -> QueueKeys.name(key);
      case QUEUE_NAME -> QueueNameKeys.queue(key);
      case COUNTERS -> CounterKeys.queue(key);
      case QUARANTINE -> QuarantineKeys.timeMs(key);
      case SLOT -> slotPart(key);
      case SIGNAL -> signalPart(key);
      case UNIQUE -> UniqueKeys.uniqueKey(key);
      case TIMER -> TimerKeys.kind(key);
      case AGENDA -> AgendaKeys.timeMs(key);
      case TABLE -> TableKeys.table(key);
      case LEASE, DELAYED, BLOCKED, WAITING, DEAD, DONE, HISTORY, MOVED, BLOB, READY ->
          JobKeys.sequence(key);
    };
  }

  private static Object slotPart(byte[] key) {
    if (SlotKeys.isOfLog(key)) {
      return key;
    }
    return TurnKeys.isTurn(key) ? TurnKeys.sequence(key) : SlotKeys.concurrencyKey(key);
  }

  private static Object signalPart(byte[] key) {
    if (InboxPayloadKeys.isOne(key)) {
      return InboxPayloadKeys.birth(key);
    }
    return InboxKeys.isLaidOutSo(key) ? InboxKeys.birth(key) : SignalKeys.signal(key);
  }

  /** Returns the record that the row holds. */
  private static Object record(Keyspace keyspace, byte[] key, byte[] value) {
    return switch (keyspace) {
      case META -> MetaRecords.decode(key, value);
      case QUEUE -> QueueRecord.decode(key, value);
      case QUEUE_NAME -> QueueNameRecord.decode(key, value);
      case COUNTERS -> CountersRecord.decode(key, value);
      case QUARANTINE -> QuarantineRecord.decode(key, value);
      case LEASE -> LeaseRecord.decode(key, value);
      case DELAYED, BLOCKED, WAITING, DEAD, DONE, READY -> JobRecord.decode(key, value);
      case SLOT -> slotRecord(key, value);
      case SIGNAL -> signalRecord(key, value);
      case HISTORY -> HistoryRecord.decode(key, value);
      case TIMER -> TimerRecord.decode(key, value);
      case AGENDA -> AgendaKeys.checkValue(key, value);
      case UNIQUE -> UniqueRecord.decode(key, value);
      case MOVED -> MovedRecord.decode(key, value);
      case BLOB -> BlobRecord.decode(key, value);
      case TABLE ->
          TableCatalog.isKey(key)
              ? TableCatalog.decode(key, value)
              : TableRecord.decode(key, value);
    };
  }

  private static Object slotRecord(byte[] key, byte[] value) {
    if (SlotKeys.isOfLog(key)) {
      return SlotKeys.checkLog(key, value);
    }
    return TurnKeys.isTurn(key) ? TurnRecord.decode(key, value) : SlotRecord.decode(key, value);
  }

  private static Object signalRecord(byte[] key, byte[] value) {
    if (BroadcastKeys.isOne(key)) {
      return BroadcastRecord.decode(key, value);
    }
    return InboxKeys.isOne(key) ? InboxRecord.decode(key, value) : SignalRecord.decode(key, value);
  }
}
