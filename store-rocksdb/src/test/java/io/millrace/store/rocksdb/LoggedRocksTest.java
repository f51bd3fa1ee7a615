package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.LoggedStore;
import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.folder.Watermark;
import io.millrace.spi.testkit.fault.LoggedStoreContractTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link LoggedStoreContractTest} on RocksDB. */
@Tag("slow")
class LoggedRocksTest extends LoggedStoreContractTest {

  private static final MemtableOptions LAZY =
      MemtableOptions.standard().layerAge(Duration.ofDays(1));

  @Override
  protected StoreFactory factory() {
    return new RocksStoreFactory();
  }

  @Override
  protected OrderedStore openLazy(StoreOptions options) {
    return RocksStoreFactory.open(options, LAZY);
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

  @Test
  void open_readOnlyAndTheDatabaseIsGone_isToldWhatIsWrong(@TempDir Path outside)
      throws IOException {
    Path folder = outside.resolve("lost");
    factory().open(StoreOptions.of(folder)).close();
    Path data = folder.resolve(DatabaseFolder.DATA_FOLDER);
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }

    StoreOptions options =
        StoreOptions.of(folder).access(Access.READ_ONLY).lostCommits(LostCommits.ACCEPT);
    assertThatThrownBy(() -> factory().open(options))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has lost its database")
        .hasMessageContaining(folder.toString());
    factory().open(options.access(Access.READ_WRITE)).close();
  }

  private static Opening begin(StoreOptions options) {
    return Opening.begin(options, LoggedStore.FORMAT, locked -> {}, RocksStore.CLOSE_TIMEOUT_NS);
  }
}
