package io.millrace.store.rocksdb;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.testkit.StoreFixture;
import java.util.regex.Pattern;

/** RocksDB stores with a log before them. */
record LoggedRocksFixture(StoreFactory factory) implements StoreFixture {

  /** The names of RocksDB's files with rows in them, or with what says which these are. */
  static final Pattern ROW_FILE =
      Pattern.compile("CURRENT|IDENTITY|(MANIFEST|OPTIONS)-.*|.*[.](sst|log)");

  /** As many as the writer of {@code PowerLossContractTest} may leave in the log unsynced. */
  static final long UNSYNCED_COMMITS_MAX = 60;

  LoggedRocksFixture() {
    this(new RocksLogFactory());
  }

  @Override
  public String name() {
    return RocksLimits.NAME;
  }

  @Override
  public boolean isDataFile(String fileName) {
    return ROW_FILE.matcher(fileName).matches() || fileName.startsWith("log-");
  }
}
