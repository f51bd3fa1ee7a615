package io.millrace.store.lmdb;

import io.millrace.memtable.MemtableOptions;
import io.millrace.memtable.MemtableStore;
import io.millrace.memtable.Replayed;
import io.millrace.memtable.log.BatchLog;
import io.millrace.memtable.log.FolderLog;
import io.millrace.memtable.log.LogReplay;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opening of stores on LMDB with a log and rows in memory before it.
 *
 * <p><b>What is durable when.</b> The epoch is raised in the database first: no other opening gets
 * it. Then the log goes on in another file, after all that was read from it is durable. Then the
 * folder gets its format, so that versions that do not know the log stay out before a batch is in
 * the log alone. Only then the watermark says what both hold together. A crash in between leaves
 * the watermark of before, which the next opening finds to be less than what there is.
 *
 * <p><b>Who writes what.</b> The store's writer appends to the log, and the thread that folds
 * writes to the database and the watermark. Both look whether the folder is still ours. The log's
 * files are guarded by a lock of their own: the database would show another owner to the thread
 * that folds, seconds later; the log shows none.
 */
final class LoggedLmdb {

  /** The format of a folder with a log: that of {@link Database#FORMAT}, and the log beside it. */
  static final int FORMAT = 2;

  static final String LOG_FOLDER = "log";
  static final String GUARD = "LOCK";

  private static final Logger LOG = LoggerFactory.getLogger(LoggedLmdb.class);

  private LoggedLmdb() {}

  /** Opens a store with a log. A store without one gets one. */
  static OrderedStore open(StoreOptions options) {
    return open(options, MemtableOptions.standard());
  }

  /**
   * Opens a store with layers of the given size, or of a smaller one if the store's reserve is
   * small.
   */
  static OrderedStore open(StoreOptions options, MemtableOptions layers) {
    MemtableOptions memtable = LmdbLimits.layers(layers, options.storeBytesMax());
    try (Opening opening = Opening.begin(options, FORMAT, LoggedLmdb::guardLog)) {
      Replayed replayed = replayed(opening, memtable);
      LogReplay replay = replay(opening, options, replayed);
      return options.access() == Access.READ_ONLY
          ? openReadOnly(opening, replay, replayed, memtable)
          : open(opening, replay, replayed, memtable);
    }
  }

  /**
   * Locks the log, so that an opener that gets in although the folder's lock was removed is
   * refused.
   */
  private static void guardLog(StoreFolder folder) {
    folder.subfolder(LOG_FOLDER);
    folder.guard(logFolder(folder).resolve(GUARD));
  }

  /** Locks the log in a folder that has one or had one, as an opening with a log does. */
  static void guardLogIfThere(StoreFolder folder) {
    if (Files.exists(logFolder(folder))) {
      guardLog(folder);
    }
  }

  /** Returns an empty receiver for the batches of the log. */
  static Replayed replayed(Opening opening, MemtableOptions memtable) {
    StoreFolder folder = opening.folder();
    return new Replayed(
        opening.held().commit(), LmdbLimits.info(folder.storeId(), folder.path()), memtable);
  }

  /**
   * Reads the log.
   *
   * @throws StoreCorruptException log and database together hold less than was once durable, and
   *     that is not accepted
   */
  static LogReplay replay(Opening opening, StoreOptions options, Replayed replayed) {
    Watermark held = opening.held();
    LogReplay replay =
        LogReplay.read(
            logFolder(opening.folder()),
            held.commit(),
            0,
            options.lostCommits(),
            (epoch, batch) -> replayed.add(batch));
    opening.requireNothingLost(together(held, replay, opening.folder().watermark()));
    if (replay.loss() != null && options.access() == Access.READ_WRITE) {
      LOG.warn("store goes on without what was lost: {}", replay.loss());
    }
    return replay;
  }

  static OrderedStore openReadOnly(
      Opening opening, LogReplay replay, Replayed replayed, MemtableOptions memtable) {
    LmdbStore base = opening.readOnly(LmdbStore.CLOSE_TIMEOUT_NS);
    return MemtableStore.openReadOnly(
        base,
        new ReadLog(replay.lastNumber()),
        replayed,
        memtable,
        (all, folder) -> base.copy(all, replayed.bytes(), folder));
  }

  private static OrderedStore open(
      Opening opening, LogReplay replay, Replayed replayed, MemtableOptions memtable) {
    StoreFolder folder = opening.folder();
    Watermark raised = opening.raiseEpoch(replay.lastEpoch());
    BatchLog log = new OwnedLog(FolderLog.begin(replay, raised.epoch()), folder);
    LmdbStore base;
    try {
      folder.setFormat(FORMAT);
      folder.advance(new Watermark(raised.epoch(), replay.lastNumber()));
      opening.writer(raised).follow(log::syncedNumber);
      base = opening.store(raised, LmdbStore.CLOSE_TIMEOUT_NS);
    } catch (RuntimeException | Error e) {
      log.close();
      throw e;
    }
    DiskRoom disk = new DiskRoom(folder.path());
    return MemtableStore.open(
        base,
        log,
        replayed,
        memtable.room(() -> Math.min(base.roomBytes(), disk.bytes(base.unusedBytes()))));
  }

  /**
   * Returns the newest commit that database and log hold together. An epoch that was raised by an
   * opening that died before it wrote the watermark does not make up for a missing batch.
   */
  private static Watermark together(Watermark held, LogReplay replay, Watermark durable) {
    long number = replay.lastNumber();
    long epoch = Math.max(held.epoch(), replay.lastEpoch());
    return new Watermark(
        number < durable.commit() ? Math.min(epoch, durable.epoch()) : epoch, number);
  }

  static Path logFolder(StoreFolder folder) {
    return folder.path().resolve(LOG_FOLDER);
  }
}
