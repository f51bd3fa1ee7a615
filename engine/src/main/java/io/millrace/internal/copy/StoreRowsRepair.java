package io.millrace.internal.copy;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.RowCheck;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The repair of rows that belong to no queue: facts about the store, tables, rows that were set
 * aside.
 */
final class StoreRowsRepair {

  private final RepairStores stores;
  private final byte[] sourceEnd;
  private boolean hasRows;

  StoreRowsRepair(RepairStores stores, byte[] sourceEnd) {
    this.stores = stores;
    this.sourceEnd = sourceEnd;
  }

  void run() {
    stores.eachOfSource(Keyspace.META, this::repairMeta);
    TablesRepair tables = new TablesRepair(stores);
    stores.eachOfSource(
        Keyspace.TABLE,
        (key, value) -> {
          hasRows = true;
          tables.repair(key, value);
        });
    stores.eachOfSource(Keyspace.QUARANTINE, (key, value) -> stores.target().put(key, value));
    stores.source().each(NewCopy.start(), Keyspace.META.start(), this::repairForeign);
    stores.source().each(Keyspace.last().end(), sourceEnd, this::repairForeign);
  }

  /**
   * Writes the rows that follow from all others.
   *
   * @param numberMax the highest queue number in use
   * @return the format row; null for a store to which nothing ever happened
   */
  byte @Nullable [] finish(int numberMax) {
    byte[] format = stores.source().get(MetaKeys.FORMAT);
    if (format == null && !hasRows && numberMax == 0) {
      return null;
    }
    putQueueNumbers(numberMax);
    stores.target().put(MetaKeys.CLEAN_STOP, new MetaRecords.CleanStop(false, 0, true).encode());
    String flaw = format == null ? "missing" : RowCheck.flaw(MetaKeys.FORMAT, format);
    if (format != null && flaw == null) {
      return format;
    }
    stores.log().rebuilt(MetaKeys.FORMAT, "store's format is not told: " + flaw);
    return MetaRecords.Format.KNOWN.encode();
  }

  /**
   * Puts the row with the next queue number. A number is never given again, also one whose queue is
   * gone: it only ever rises.
   */
  private void putQueueNumbers(int numberMax) {
    byte[] value = stores.source().get(MetaKeys.QUEUE_NUMBERS);
    int next =
        value != null && RowCheck.flaw(MetaKeys.QUEUE_NUMBERS, value) == null
            ? MetaRecords.QueueNumbers.decode(value).next()
            : 0;
    if (next <= numberMax && (numberMax > 0 || value != null)) {
      String finding = "next queue number is lost or too low: next=" + next;
      stores.log().rebuilt(MetaKeys.QUEUE_NUMBERS, finding);
      next = numberMax + 1;
    }
    if (next > 0) {
      stores.target().put(MetaKeys.QUEUE_NUMBERS, new MetaRecords.QueueNumbers(next).encode());
    }
  }

  private void repairMeta(byte[] key, byte[] value) {
    hasRows = true;
    boolean isWrittenLast =
        Arrays.equals(key, MetaKeys.FORMAT) || Arrays.equals(key, MetaKeys.QUEUE_NUMBERS);
    if (isWrittenLast) {
      return;
    }
    String flaw = RowCheck.flaw(key, value);
    if (flaw != null) {
      stores.log().dropped(key, flaw);
    } else {
      stores.target().put(key, value);
    }
  }

  private void repairForeign(byte[] key, byte[] value) {
    hasRows = true;
    stores.log().setAside(key, value, "row is of no known keyspace: key=" + Bytes.hex(key));
  }
}
