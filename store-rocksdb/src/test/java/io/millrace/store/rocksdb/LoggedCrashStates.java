package io.millrace.store.rocksdb;

import io.millrace.spi.testkit.StoreFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link RocksCrashStates} of the files of the log before the database, too. */
abstract class LoggedCrashStates extends RocksCrashStates {

  LoggedCrashStates(StoreFixture fixture) {
    super(fixture);
  }

  @Override
  protected List<Path> tracedFiles(Path store) {
    List<Path> files = new ArrayList<>(super.tracedFiles(store));
    files.addAll(filesOfLog(store));
    return files;
  }

  @Override
  protected boolean isOfOneThread() {
    return false;
  }
}
