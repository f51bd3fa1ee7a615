package io.millrace.store.lmdb;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.testkit.StoreFixture;

/** LMDB stores with a log before them. */
record LoggedLmdbFixture(StoreFactory factory) implements StoreFixture {

  /** As many as the writer of {@code PowerLossContractTest} may leave in the log unsynced. */
  static final long UNSYNCED_COMMITS_MAX = 60;

  LoggedLmdbFixture() {
    this(new LmdbLogFactory());
  }

  @Override
  public String name() {
    return LmdbLimits.NAME;
  }

  @Override
  public boolean isDataFile(String fileName) {
    return fileName.equals(DataFile.FILE_NAME) || fileName.startsWith("log-");
  }
}
