package io.millrace.internal.transition.upkeep;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.BroadcastRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.state.Broadcasts;
import io.millrace.internal.state.Cost;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.SetAside;
import io.millrace.internal.transition.move.SlotRecount;
import io.millrace.internal.transition.table.DropTable;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;

/**
 * The taking over of a store: its format is checked, the new epoch begins, and from here on its
 * stop counts as unclean until the store is told otherwise. The answer is how the last stop left
 * it.
 */
public final class OpenStore implements Transition<OpenStore.LastStop> {

  private static final MetaRecords.CleanStop NEW_STORE = new MetaRecords.CleanStop(true, 0, true);
  private static final MetaRecords.CleanStop UNKNOWN_STOP =
      new MetaRecords.CleanStop(false, 0, false);

  /** The rows that are fetched at once: few queues are being removed at a time. */
  private static final int LIKELY_DROPPED = 16;

  private final long epoch;

  /** The way in which the store was left. */
  public enum LastStop {
    CLEAN,
    UNCLEAN
  }

  public OpenStore(long epoch) {
    this.epoch = epoch;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  /** Counts FORMAT, CLEAN_STOP and QUEUE_NUMBERS, of which two may be set aside. */
  @Override
  public Cost cost() {
    return new Cost(8, 8L * (RowBytes.KEY + RowBytes.QUARANTINE));
  }

  @Override
  public LastStop apply(OpenBatch batch) {
    if (epoch > Sequences.EPOCH_MAX) {
      throw new StoreException(
          "store was opened too often to be worked with: openings="
              + epoch
              + ", most="
              + Sequences.EPOCH_MAX
              + "; it can be looked at and copied, and its jobs enqueued in a new store");
    }
    if (batch.get(MetaKeys.COPYING) != null) {
      throw new StoreCorruptException(MetaRecords.Copying.UNFINISHED);
    }
    byte[] format = batch.get(MetaKeys.FORMAT);
    if (format == null) {
      batch.put(MetaKeys.FORMAT, MetaRecords.Format.NEW.encode());
    } else {
      checkFormat(MetaRecords.Format.decode(format));
    }
    MetaRecords.CleanStop stop = format == null ? NEW_STORE : lastStop(batch);
    long afterUnclean = stop.isClean() ? stop.afterUnclean() : epoch;
    batch.state().beginEpoch(epoch, nextQueueNumber(batch), afterUnclean);
    markDropped(batch);
    findBroadcasts(batch);
    batch.state().slots().lookForLogs(stop.areSlotsCounted() ? null : Keyspace.SLOT.start());
    boolean hasEngineKeys = SlotRecount.isInUse(batch, SlotKeys.ENGINE);
    batch
        .state()
        .slots()
        .lookForUnfinished(hasEngineKeys ? Keyspace.SLOT.queueStart(SlotKeys.ENGINE) : null);
    markStop(batch, LastStop.UNCLEAN);
    return stop.isClean() ? LastStop.CLEAN : LastStop.UNCLEAN;
  }

  /**
   * Marks queues and tables whose deletion is not finished: the first rows of the agenda tell
   * queues.
   */
  private static void markDropped(OpenBatch batch) {
    batch.scan(
        AgendaKeys.start(AgendaKeys.DROPPED_MS),
        AgendaKeys.end(AgendaKeys.DROPPED_MS),
        LIKELY_DROPPED,
        (key, value) -> {
          if (key.length == AgendaKeys.LENGTH_BYTES) {
            batch.state().markDropped(AgendaKeys.queue(key));
          }
          return true;
        });
    markDroppedTables(batch);
  }

  /** Marks dropped tables of which rows are left: few, and in one place. */
  private static void markDroppedTables(OpenBatch batch) {
    batch.scan(
        TableCatalog.droppedStart(),
        TableCatalog.droppedEnd(),
        LIKELY_DROPPED,
        (key, value) -> {
          if (TableCatalog.isDroppedKey(key)) {
            batch.state().tables().markDropped(DropTable.dropped(key));
          }
          return true;
        });
  }

  /** Reads the broadcasts that had not reached all jobs. */
  private static void findBroadcasts(OpenBatch batch) {
    Broadcasts broadcasts = batch.state().broadcasts();
    broadcasts.clear();
    batch.scan(
        Keyspace.SIGNAL.queueStart(BroadcastKeys.QUEUE),
        Keyspace.SIGNAL.queueEnd(BroadcastKeys.QUEUE),
        1,
        (key, value) -> {
          try {
            if (BroadcastKeys.isOne(key)) {
              broadcasts.set(BroadcastKeys.sequence(key), BroadcastRecord.decode(key, value));
            }
          } catch (CorruptDataException e) {
            batch.reportCorrupt(key);
          }
          return true;
        });
  }

  /** Returns how the last stop was; one of which nothing is known was unclean. */
  private static MetaRecords.CleanStop lastStop(OpenBatch batch) {
    byte[] stop = batch.get(MetaKeys.CLEAN_STOP);
    try {
      return stop == null ? UNKNOWN_STOP : MetaRecords.CleanStop.decode(stop);
    } catch (CorruptDataException e) {
      SetAside.row(batch, MetaKeys.CLEAN_STOP, stop, e.getMessage());
      return UNKNOWN_STOP;
    }
  }

  /**
   * Returns the number of the next queue to come; if the row that tells it is lost, the number
   * after the highest of all queues.
   */
  private static int nextQueueNumber(OpenBatch batch) {
    byte[] numbers = batch.get(MetaKeys.QUEUE_NUMBERS);
    try {
      if (numbers != null) {
        return MetaRecords.QueueNumbers.decode(numbers).next();
      }
    } catch (CorruptDataException e) {
      SetAside.row(batch, MetaKeys.QUEUE_NUMBERS, numbers, e.getMessage());
    }
    int[] next = {1};
    batch.scan(
        Keyspace.QUEUE_NAME.start(),
        Keyspace.QUEUE_NAME.end(),
        (key, value) -> {
          next[0] = QueueNameKeys.queue(key) + 1;
          return true;
        });
    if (next[0] > 1) {
      batch.put(MetaKeys.QUEUE_NUMBERS, new MetaRecords.QueueNumbers(next[0]).encode());
    }
    return next[0];
  }

  static void markStop(OpenBatch batch, LastStop stop) {
    MetaRecords.CleanStop row =
        new MetaRecords.CleanStop(
            stop == LastStop.CLEAN,
            batch.state().afterUncleanStop(),
            batch.state().slots().logsFrom() == null);
    batch.put(MetaKeys.CLEAN_STOP, row.encode());
  }

  private static void checkFormat(MetaRecords.Format format) {
    int known = MetaRecords.Format.KNOWN.toWrite();
    if (format.toWrite() > known) {
      throw new FormatVersionException(
          "store was written by a newer version of Millrace: format="
              + format.toWrite()
              + ", newest known="
              + known
              + "; upgrade this program");
    }
  }
}
