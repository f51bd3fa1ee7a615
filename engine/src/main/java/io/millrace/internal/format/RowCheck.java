package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import org.jspecify.annotations.Nullable;

/**
 * The check of rows of every keyspace: a key by its layout, a value by the record that it holds.
 * Code that goes over rows of every kind asks here whether one is damaged.
 */
public final class RowCheck {

  private RowCheck() {}

  /** A function that reads a part of a key. */
  private interface KeyRead {
    Object read(byte[] key);
  }

  /** A function that reads the record of a row. */
  private interface RowRead {
    Object read(byte[] key, byte[] value);
  }

  /**
   * The layout of the rows of a keyspace.
   *
   * @param part reads a part of the key by its layout, which checks that; a number must not be
   *     negative
   * @param record reads the record that the row holds
   */
  private record Layout(KeyRead part, RowRead record) {

    private static final Layout OF_JOBS = new Layout(JobKeys::sequence, JobRecord::decode);
    private static final Layout[] BY_KEYSPACE = new Layout[Keyspace.values().length];

    static {
      for (Keyspace keyspace : Keyspace.values()) {
        BY_KEYSPACE[keyspace.ordinal()] = keyspace.isOfJobs() ? OF_JOBS : ofOther(keyspace);
      }
    }

    static Layout of(Keyspace keyspace) {
      return BY_KEYSPACE[keyspace.ordinal()];
    }

    private static Layout ofOther(Keyspace keyspace) {
      return switch (keyspace) {
        case META -> new Layout(key -> key, MetaRecords::decode);
        case QUEUE -> new Layout(QueueKeys::name, QueueRecord::decode);
        case QUEUE_NAME -> new Layout(QueueNameKeys::queue, QueueNameRecord::decode);
        case COUNTERS -> new Layout(CounterKeys::queue, CountersRecord::decode);
        case QUARANTINE -> new Layout(QuarantineKeys::timeMs, QuarantineRecord::decode);
        case LEASE -> new Layout(JobKeys::sequence, LeaseRecord::decode);
        case SLOT -> new Layout(RowCheck::slotPart, RowCheck::slotRecord);
        case SIGNAL -> new Layout(RowCheck::signalPart, RowCheck::signalRecord);
        case HISTORY -> new Layout(JobKeys::sequence, HistoryRecord::decode);
        case TIMER -> new Layout(TimerKeys::kind, TimerRecord::decode);
        case AGENDA -> new Layout(AgendaKeys::timeMs, AgendaKeys::checkValue);
        case UNIQUE -> new Layout(UniqueKeys::uniqueKey, UniqueRecord::decode);
        case MOVED -> new Layout(JobKeys::sequence, MovedRecord::decode);
        case BLOB -> new Layout(JobKeys::sequence, BlobRecord::decode);
        case TABLE -> new Layout(TableKeys::table, RowCheck::tableRecord);
        default -> throw new IllegalStateException("rows have no layout: keyspace=" + keyspace);
      };
    }
  }

  /**
   * Checks the layout of a key, which is in a keyspace. The checksum of a record does not: it
   * covers a key of a wrong length as well as any.
   *
   * @throws CorruptDataException the key does not have the layout of its keyspace
   */
  public static void check(byte[] key) {
    Keyspace keyspace = Keyspace.ofKey(key);
    Object part = Layout.of(keyspace).part().read(key);
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
      Layout.of(keyspace).record().read(key, value);
      return null;
    } catch (CorruptDataException e) {
      return String.valueOf(e.getMessage());
    }
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

  private static Object slotRecord(byte[] key, byte[] value) {
    if (SlotKeys.isOfLog(key)) {
      return SlotKeys.checkLog(key, value);
    }
    return TurnKeys.isTurn(key) ? TurnRecord.decode(key, value) : SlotRecord.decode(key, value);
  }

  private static Object tableRecord(byte[] key, byte[] value) {
    if (TallyKeys.isKey(key)) {
      return TallyRecord.decode(key, value);
    }
    if (TallyKeys.isResultKey(key)) {
      return TallyResult.decode(key, value);
    }
    return TableCatalog.isKey(key)
        ? TableCatalog.decode(key, value)
        : TableRecord.decode(key, value);
  }

  private static Object signalRecord(byte[] key, byte[] value) {
    if (BroadcastKeys.isOne(key)) {
      return BroadcastRecord.decode(key, value);
    }
    return InboxKeys.isOne(key) ? InboxRecord.decode(key, value) : SignalRecord.decode(key, value);
  }
}
