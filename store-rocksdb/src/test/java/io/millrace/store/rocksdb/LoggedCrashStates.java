package io.millrace.store.rocksdb;

import io.millrace.spi.testkit.StoreFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link RocksCrashStates} of the files of the log before the database, too. */
abstract class LoggedCrashStates extends RocksCrashStates {

  /** More than there ever are: each reopening may take two that are free. */
  private static final int LOG_FILE_COUNT_MAX = 10;

  LoggedCrashStates(StoreFixture fixture) {
    super(fixture);
  }

  @Override
  protected List<Path> tracedFiles(Path store) {
    List<Path> files = new ArrayList<>(super.tracedFiles(store));
    for (int i = 0; i < LOG_FILE_COUNT_MAX; i++) {
      files.add(store.resolve("log/log-" + i));
    }
    return files;
  }

  @Override
  protected boolean isOfOneThread() {
    return false;
  }
}
