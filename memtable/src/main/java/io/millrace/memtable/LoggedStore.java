package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.memtable.log.FolderLog;
import io.millrace.memtable.log.LogReplay;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores in a folder that have a log and rows in memory before their database, or none: each way
 * opens what the other left, and goes on in its own.
 *
 * <p><b>What is durable when.</b> The epoch is raised in the database first: no other opening gets
 * it. Then the log goes on in another file, after all that was read from it is durable. Then the
 * folder gets its format, so that who does not know the log stays out before a batch is in the log
 * alone. Only then the watermark says what both hold together. A crash in between leaves the
 * watermark of before, which the next opening finds to be less than what there is.
 *
 * <p><b>Who writes what.</b> The store's writer appends to the log, and the thread that folds
 * writes to the database and the watermark. Both look whether the folder is still ours. The log's
 * files are guarded by a lock of their own: the database would show another owner to the thread
 * that folds, seconds later; the log shows none.
 */
public final class LoggedStore {

  /** The format of a folder without a log. On disk, never change. */
  public static final int PLAIN_FORMAT = 1;

  /** The format of a folder with a log beside the database. On disk, never change. */
  public static final int FORMAT = 2;

  /** The folder of the log, in the store's. On disk, never change. */
  public static final String LOG_FOLDER = "log";

  /** The lock that guards the log, in its folder. */
  public static final String GUARD = "LOCK";

  private static final Logger LOG = LoggerFactory.getLogger(LoggedStore.class);

  private LoggedStore() {}

  /** A kind of store: locks a folder and opens the database in it, once it is known to be sound. */
  public interface Kind {

    /**
     * Begins an opening.
     *
     * @param formatMax the newest format of the folder that the caller knows, and that of a new one
     * @param first what is to be done before the data are looked at
     */
    FolderOpening begin(StoreOptions options, int formatMax, Consumer<StoreFolder> first);
  }

  /**
   * Opens a store with a log; one of before goes on with one.
   *
   * @throws StoreCorruptException log and database together hold less than was once durable, and
   *     that is not accepted
   * @throws StoreFullException the disk has no room for a log; no batch is lost
   */
  public static OrderedStore open(StoreOptions options, MemtableOptions layers, Kind kind) {
    try (FolderOpening opening = kind.begin(options, FORMAT, folder -> begin(folder, true))) {
      Replayed replayed = replayed(opening, layers);
      LogReplay replay = replay(opening, options, replayed);
      return options.access() == Access.READ_ONLY
          ? openReadOnly(opening, replay, replayed, layers)
          : open(opening, replay, replayed, layers);
    }
  }

  /**
   * Opens a store without a log. One that has a log is made one without: what is in the log goes
   * into the database, durably; then the log's files go, and then the folder gets its former format
   * back, so that a crash in between leaves a store with a log.
   *
   * @throws StoreCorruptException as {@link #open} does
   */
  public static OrderedStore openPlain(StoreOptions options, MemtableOptions layers, Kind kind) {
    try (FolderOpening opening =
        kind.begin(options, FORMAT, folder -> begin(folder, Files.exists(logFolder(folder))))) {
      Replayed replayed = replayed(opening, layers);
      LogReplay replay = replay(opening, options, replayed);
      if (options.access() == Access.READ_ONLY) {
        return openReadOnly(opening, replay, replayed, layers);
      }
      Watermark raised = opening.raiseEpoch(replay.lastEpoch());
      for (WriteBatch sum : replayed.sums(Reserve.USE)) {
        opening.write(sum);
      }
      opening.sync();
      StoreFolder folder = opening.folder();
      folder.checkOwned();
      folder.advance(new Watermark(raised.epoch(), replay.lastNumber()));
      if (folder.isGuarded()) {
        FolderLog.remove(logFolder(folder));
      }
      folder.checkOwned();
      folder.setFormat(PLAIN_FORMAT);
      return opening.store(() -> 0);
    }
  }

  /** Looks at a locked folder before its data are read, and guards its log if it has one. */
  private static void begin(StoreFolder folder, boolean hasLog) {
    if (folder.isOpenToOthers()) {
      LOG.warn(
          "store folder is another user's and is left as it is: others may look into it: folder={}",
          folder.path());
    }
    if (hasLog) {
      guardLog(folder);
    }
  }

  /** Keeps whoever comes in although the folder's lock was removed away from the log. */
  private static void guardLog(StoreFolder folder) {
    folder.subfolder(LOG_FOLDER);
    folder.guard(logFolder(folder).resolve(GUARD));
  }

  /** Creates what takes the batches of the log. */
  private static Replayed replayed(FolderOpening opening, MemtableOptions layers) {
    return new Replayed(opening.held().commit(), opening.info(), layers);
  }

  private static LogReplay replay(FolderOpening opening, StoreOptions options, Replayed replayed) {
    Watermark held = opening.held();
    StoreFolder folder = opening.folder();
    LogReplay replay =
        LogReplay.read(
            logFolder(folder),
            held.commit(),
            0,
            options.lostCommits(),
            (epoch, batch) -> replayed.add(batch));
    folder.checkNothingLost(together(held, replay, folder.watermark()), options.lostCommits());
    if (replay.loss() != null && options.access() == Access.READ_WRITE) {
      LOG.warn("store goes on without what was lost: {}", replay.loss());
    }
    return replay;
  }

  private static OrderedStore openReadOnly(
      FolderOpening opening, LogReplay replay, Replayed replayed, MemtableOptions layers) {
    FolderOpening.Base base = opening.readOnly();
    return MemtableStore.openReadOnly(
        base,
        new ReadLog(replay.lastNumber()),
        replayed,
        layers,
        (all, folder) -> base.copy(all, replayed, folder));
  }

  private static OrderedStore open(
      FolderOpening opening, LogReplay replay, Replayed replayed, MemtableOptions layers) {
    StoreFolder folder = opening.folder();
    Watermark raised = opening.raiseEpoch(replay.lastEpoch());
    BatchLog log = new OwnedLog(begin(replay, raised.epoch()), folder);
    FolderOpening.Base base;
    try {
      folder.setFormat(FORMAT);
      folder.advance(new Watermark(raised.epoch(), replay.lastNumber()));
      base = opening.store(log::syncedNumber);
    } catch (RuntimeException | Error e) {
      log.close();
      throw e;
    }
    return MemtableStore.open(base, log, replayed, layers.room(base::roomBytes));
  }

  private static FolderLog begin(LogReplay replay, long epoch) {
    try {
      return FolderLog.begin(replay, epoch);
    } catch (StoreFullException e) {
      throw new StoreFullException(
          "store's log has no room to begin; make room on the disk, or open the store without a"
              + " log (log=none): reason="
              + e.getMessage(),
          e);
    }
  }

  /**
   * Returns what database and log hold. An epoch that was raised by an opening that died before it
   * told the watermark makes up for no batch that is missing.
   */
  private static Watermark together(Watermark held, LogReplay replay, Watermark durable) {
    long number = replay.lastNumber();
    long epoch = Math.max(held.epoch(), replay.lastEpoch());
    return new Watermark(
        number < durable.commit() ? Math.min(epoch, durable.epoch()) : epoch, number);
  }

  private static Path logFolder(StoreFolder folder) {
    return folder.path().resolve(LOG_FOLDER);
  }
}
