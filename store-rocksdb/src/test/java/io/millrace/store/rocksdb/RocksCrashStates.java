package io.millrace.store.rocksdb;

import io.millrace.spi.testkit.StoreFixture;
import io.millrace.spi.testkit.fault.CrashStateContractTest;
import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link CrashStateContractTest} on the log and the watermark. */
abstract class RocksCrashStates extends CrashStateContractTest {

  private static final int LOG_NUMBER_MAX = 40;
  private static final String WATERMARK = "WATERMARK";

  RocksCrashStates(StoreFixture fixture) {
    super(fixture);
  }

  @Override
  protected List<Path> tracedFiles(Path store) {
    List<Path> files = new ArrayList<>(List.of(store.resolve(WATERMARK)));
    for (int number = 1; number <= LOG_NUMBER_MAX; number++) {
      files.add(store.resolve("data/%06d.log".formatted(number)));
    }
    return files;
  }

  /** From the first answer on, RocksDB's other files stay as they are. */
  @Override
  protected boolean isBegin(Event event, boolean isAnswer) {
    return isAnswer;
  }

  @Override
  protected boolean isKept(Path file) {
    return true;
  }

  /** Opening makes tables of the log, on threads of RocksDB's own. */
  @Override
  protected boolean canReopen() {
    return false;
  }
}
