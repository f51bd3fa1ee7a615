package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memtable.LoggedStore;
import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.Watermark;
import io.millrace.spi.testkit.fault.History;
import io.millrace.spi.testkit.fault.LoggedStoreContractTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link LoggedStoreContractTest} on LMDB. */
@Tag("slow")
class LoggedLmdbTest extends LoggedStoreContractTest {

  private static final MemtableOptions LAZY =
      MemtableOptions.standard().layerAge(Duration.ofDays(1));

  @Override
  protected StoreFactory factory() {
    return new LmdbStoreFactory();
  }

  @Override
  protected OrderedStore openLazy(StoreOptions options) {
    return LmdbStoreFactory.open(options, LAZY);
  }

  @Override
  protected Watermark heldByDatabase(Path store) {
    try (Opening opening = begin(StoreOptions.of(store).access(Access.READ_ONLY))) {
      return opening.held();
    }
  }

  @Override
  protected Watermark raiseEpoch(Path store) {
    try (Opening died = begin(StoreOptions.of(store))) {
      return died.raiseEpoch(0);
    }
  }

  private static Opening begin(StoreOptions options) {
    return Opening.begin(options, LoggedStore.FORMAT, locked -> {}, LmdbStore.CLOSE_TIMEOUT_NS);
  }

  @Override
  protected boolean isContent(String file) {
    return super.isContent(file) && !file.equals(DataFile.LOCK_FILE_NAME);
  }

  @Test
  void close_foldsAndLeavesNoFileLongerThanNeedBe(@TempDir Path folder) throws IOException {
    try (OrderedStore store = openLazy(StoreOptions.of(folder))) {
      for (int i = 1; i <= 25; i++) {
        store.write(History.batch(i));
      }
      assertThat(store.usedBytes()).isEmpty();
    }

    assertThat(heldByDatabase(folder)).isEqualTo(new Watermark(1, 25));
    assertThat(Files.size(folder.resolve(DataFile.FILE_NAME))).isEqualTo(DataFile.check(folder));
  }
}
