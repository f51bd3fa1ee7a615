package io.millrace.store.lmdb;

import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.Watermark;

/** LMDB alone. A store that has a log is refused: it is of a newer format, {@link LoggedLmdb}'s. */
final class PlainLmdb {

  private PlainLmdb() {}

  static LmdbStore open(StoreOptions options) {
    return open(options, LmdbStore.CLOSE_TIMEOUT_NS);
  }

  /** Opens a store that at its close waits this long for calls under way. */
  static LmdbStore open(StoreOptions options, long closeTimeoutNs) {
    try (Opening opening = Opening.begin(options, Database.FORMAT, folder -> {})) {
      opening.requireNothingLost(opening.held());
      if (options.access() == Access.READ_ONLY) {
        return opening.readOnly(closeTimeoutNs);
      }
      Watermark raised = opening.raiseEpoch(0);
      opening.folder().advance(raised);
      return opening.store(raised, () -> 0, closeTimeoutNs);
    }
  }
}
