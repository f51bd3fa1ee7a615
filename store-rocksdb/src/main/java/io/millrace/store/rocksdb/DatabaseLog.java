package io.millrace.store.rocksdb;

import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.slf4j.LoggerFactory;

/** RocksDB's own log, warnings and worse, in place of its LOG file. Called by any thread. */
final class DatabaseLog extends Logger {

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger("org.rocksdb");

  DatabaseLog() {
    super(InfoLogLevel.WARN_LEVEL);
  }

  @Override
  protected void log(InfoLogLevel level, String message) {
    // RocksDB calls much an error that it gets over; what matters the next write throws.
    LOG.warn("{}", message);
  }
}
