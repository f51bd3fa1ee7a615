package io.millrace.store.lmdb;

import io.millrace.memtable.MemtableOptions;
import io.millrace.memtable.Replayed;
import io.millrace.memtable.log.FolderLog;
import io.millrace.memtable.log.LogReplay;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;

/**
 * The opening of stores on LMDB alone. A store that has a log becomes one without: the batches in
 * the log go into the database, durably; then the log's files are removed; then the folder gets its
 * former format back. So a crash in between leaves a store with a log.
 */
final class PlainLmdb {

  private PlainLmdb() {}

  static OrderedStore open(StoreOptions options) {
    return open(options, LmdbStore.CLOSE_TIMEOUT_NS);
  }

  /** Opens a store that at its close waits this long for calls under way. */
  static OrderedStore open(StoreOptions options, long closeTimeoutNs) {
    MemtableOptions memtable =
        LmdbLimits.layers(MemtableOptions.standard(), options.storeBytesMax());
    try (Opening opening = Opening.begin(options, LoggedLmdb.FORMAT, LoggedLmdb::guardLogIfThere)) {
      Replayed replayed = LoggedLmdb.replayed(opening, memtable);
      LogReplay replay = LoggedLmdb.replay(opening, options, replayed);
      if (options.access() == Access.READ_ONLY) {
        return LoggedLmdb.openReadOnly(opening, replay, replayed, memtable);
      }
      Watermark raised = opening.raiseEpoch(replay.lastEpoch());
      LmdbWriter writer = opening.writer(raised);
      for (WriteBatch sum : replayed.sums(Reserve.USE)) {
        writer.write(sum);
      }
      writer.sync();
      StoreFolder folder = opening.folder();
      folder.checkOwned();
      folder.advance(new Watermark(raised.epoch(), replay.lastNumber()));
      if (folder.isGuarded()) {
        FolderLog.remove(LoggedLmdb.logFolder(folder));
      }
      folder.checkOwned();
      folder.setFormat(Database.FORMAT);
      return opening.store(raised, closeTimeoutNs);
    }
  }
}
