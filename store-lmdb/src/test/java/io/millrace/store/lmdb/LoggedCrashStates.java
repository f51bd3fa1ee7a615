package io.millrace.store.lmdb;

import io.millrace.memtable.LoggedStore;
import io.millrace.spi.testkit.StoreFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link LmdbCrashStates} of the files of the log, too. */
abstract class LoggedCrashStates extends LmdbCrashStates {

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

  @Override
  protected boolean isKept(Path file) {
    return super.isKept(file) || file.endsWith(LoggedStore.LOG_FOLDER);
  }
}
