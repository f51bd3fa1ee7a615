package io.millrace.internal.copy;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.TallyKeys;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A copy of all rows of one store into another, of whatever kinds they are, with a look at each row
 * on the way.
 *
 * <p>Rows are copied as they are, but for leases: their holders belong to the origin, and to the
 * copy they are of a process that ended.
 *
 * <p>Damaged rows are left out, but for those that count concurrency keys. An engine that meets one
 * counts anew; if the row was missing, older counts would hold, and jobs might be blocked for ever.
 * A copy that has left out a job or a tally says that an engine is to count tallies anew.
 */
public final class StoreCopy {

  private static final Incarnation NOBODY = new Incarnation(0, 0);

  private final OrderedStore from;
  private final OrderedStore to;
  private final DamagedRows damaged;
  private long rowCount;
  private long bytes;
  private byte @Nullable [] format;
  private boolean hasTallies;
  private boolean isJobLeftOut;

  /**
   * A listener that is told of each damaged row, before the row is left out or copied. It may throw
   * to end the copy.
   */
  @FunctionalInterface
  public interface DamagedRows {
    void found(byte[] key, byte[] value, String reason);
  }

  /**
   * The amount that was copied.
   *
   * @param rowCount number of rows
   * @param bytes length of their keys and values
   */
  public record Amount(long rowCount, long bytes) {}

  private StoreCopy(OrderedStore from, OrderedStore to, DamagedRows damaged) {
    this.from = from;
    this.to = to;
    this.damaged = damaged;
  }

  /**
   * Copies everything; on return the copy is whole and durable. The caller's thread becomes the
   * target's writer.
   *
   * @param from nobody may write to it meanwhile
   * @param to empty, or an unfinished copy, which is begun again
   * @throws FormatVersionException the origin was written by a newer version; nothing was copied
   * @throws io.millrace.spi.StoreException the origin is an unfinished copy, the target is not
   *     empty or full; it is then an unfinished copy
   */
  public static Amount copy(OrderedStore from, OrderedStore to, DamagedRows damaged) {
    checkOrigin(from);
    return new StoreCopy(from, to, damaged).run();
  }

  /** Refuses a damaged row. */
  public static void refuse(byte[] key, byte[] value, String reason) {
    throw new CorruptDataException(
        reason + "; repair the store, or copy it without its damaged rows");
  }

  /**
   * Refuses a store that cannot be copied: an unfinished copy, or one that a newer version wrote. A
   * damaged format row is for the copy itself to find.
   */
  public static void checkOrigin(OrderedStore from) {
    NewCopy.refuseUnfinished(from);
    refuseNewer(from, MetaRecords.Format::toWrite);
  }

  /**
   * Refuses a store that cannot be looked at: an unfinished copy, or one that a newer version wrote
   * so that older ones cannot read it.
   */
  public static void checkReadable(OrderedStore store) {
    NewCopy.refuseUnfinished(store);
    refuseNewer(store, MetaRecords.Format::toRead);
  }

  private static void refuseNewer(OrderedStore store, ToIntFunction<MetaRecords.Format> needed) {
    try (ReadView view = store.read()) {
      byte[] format = view.get(MetaKeys.FORMAT);
      if (format == null || RowCheck.flaw(MetaKeys.FORMAT, format) != null) {
        return;
      }
      int known = needed.applyAsInt(MetaRecords.Format.KNOWN);
      int held = needed.applyAsInt(MetaRecords.Format.decode(format));
      if (held > known) {
        throw new FormatVersionException(
            "store was written by a newer version of Millrace: format="
                + held
                + ", newest known="
                + known
                + "; upgrade this program");
      }
    }
  }

  /** Refuses a target that holds rows, unless they are those of an unfinished copy. */
  public static void checkTarget(OrderedStore to) {
    NewCopy.refuseOccupied(to);
  }

  /** Returns the lease row as a copy keeps it: its holder is nobody. */
  static byte[] withoutHolder(byte[] key, byte[] value) {
    LeaseRecord lease = LeaseRecord.decode(key, value);
    return new LeaseRecord(
            lease.token(),
            lease.worker(),
            NOBODY,
            lease.grantedMs(),
            lease.startedAtMs(),
            lease.attempt(),
            lease.priority(),
            lease.readySequence(),
            lease.cancelRequested())
        .encode(key);
  }

  private Amount run() {
    try (SourceRows source = new SourceRows(from);
        NewCopy copy = NewCopy.begin(to, from.info().storeId())) {
      source.each(
          NewCopy.start(), NewCopy.end(from), (key, value) -> copyRow(copy.rows(), key, value));
      if (hasTallies && isJobLeftOut) {
        TablesRepair.recountAll(copy.rows());
      }
      copy.finish(format);
    }
    return new Amount(rowCount, bytes);
  }

  private void copyRow(TargetRows target, byte[] key, byte[] value) {
    boolean isFormat = Arrays.equals(key, MetaKeys.FORMAT);
    // A keyspace that only a newer version knows is copied as it is.
    String flaw = Keyspace.find(key) == null ? null : RowCheck.flaw(key, value);
    if (flaw != null) {
      damaged.found(key, value, flaw);
      format = isFormat ? MetaRecords.Format.KNOWN.encode() : format;
    }
    hasTallies |= TallyKeys.isKey(key);
    if (flaw != null && Keyspace.find(key) != Keyspace.SLOT) {
      isJobLeftOut |= Keyspace.ofKey(key).isOfJobs();
      TablesRepair.recount(target, key);
      return;
    }
    rowCount++;
    bytes += (long) key.length + value.length;
    if (isFormat) {
      format = value;
    } else if (Keyspace.find(key) == Keyspace.LEASE) {
      target.put(key, withoutHolder(key, value));
    } else {
      target.put(key, value);
    }
  }
}
