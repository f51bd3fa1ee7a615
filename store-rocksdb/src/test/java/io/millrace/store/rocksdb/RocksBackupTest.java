package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.testkit.fault.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a RocksDB store, on its own disk and on another. */
@Tag("slow")
class RocksBackupTest {

  @TempDir Path folder;

  @Test
  void backupTo_ontoAnotherDisk_isWhole() throws IOException {
    Path copy = Files.createTempDirectory(Path.of("/dev/shm"), "copy");
    try (OrderedStore store = open()) {
      for (int i = 1; i <= 30; i++) {
        store.write(History.batch(i));
      }

      store.backupTo(copy);

      store.write(History.batch(31));
    }
    try (OrderedStore restored = open(StoreOptions.of(copy))) {
      assertThat(restored.lastCommit()).isEqualTo(30);
      assertThat(restored.epoch()).isEqualTo(1 + OrderedStore.COPY_EPOCH_STEP + 1);
      History.verify(restored);
    }
    StoreFolder.clear(copy);
    Files.delete(copy);
  }

  @Test
  void backupTo_ofAStoreOpenForReading_holdsWhatIsInTheLogAlone() throws IOException {
    Path copy = folder.resolveSibling(folder.getFileName() + "-copy");
    try (OrderedStore store = open()) {
      for (int i = 1; i <= 30; i++) {
        store.write(History.batch(i));
      }
    }

    try (OrderedStore store = open(StoreOptions.of(folder).access(Access.READ_ONLY))) {
      store.backupTo(copy);
    }

    try (OrderedStore restored = open(StoreOptions.of(copy))) {
      assertThat(restored.lastCommit()).isEqualTo(30);
      History.verify(restored);
    }
    StoreFolder.clear(copy);
    Files.delete(copy);
  }

  @Test
  void backupTo_ontoAnotherDiskAndClosedMeanwhile_isWholeOrToldAndLeavesNothingBeside()
      throws Exception {
    for (int i = 0; i < 5; i++) {
      Path copy = Files.createTempDirectory(Path.of("/dev/shm"), "copy");
      RocksStore store = open();
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
      byte[] value = new byte[16 << 20];
      new SplittableRandom(i).nextBytes(value);
      batch.put(new byte[] {(byte) i}, value);
      store.write(batch);
      CompletableFuture<Void> backup = CompletableFuture.runAsync(() -> store.backupTo(copy));
      while (!Files.exists(copy.resolve(DatabaseFolder.DATA_FOLDER)) && !backup.isDone()) {
        Thread.onSpinWait();
      }

      store.close();

      Throwable thrown = backup.handle((nothing, e) -> e).get(10, TimeUnit.SECONDS);
      if (thrown == null) {
        open(StoreOptions.of(copy)).close();
      } else {
        assertThat(thrown).hasCauseInstanceOf(StoreClosedException.class);
        assertThat(copy).isEmptyDirectory();
      }
      assertThat(folder.toFile().list((parent, name) -> name.startsWith("copying"))).isEmpty();
      open().close();
      StoreFolder.clear(copy);
      Files.delete(copy);
    }
  }

  @Test
  void copyFiles_toldToStop_stopsBetweenTwoSteps() throws IOException {
    Path from = Files.createDirectory(folder.resolve("from"));
    byte[] large = new byte[(5 << 20) + 1];
    new SplittableRandom(1).nextBytes(large);
    Files.write(from.resolve("large"), large);
    Files.write(from.resolve("empty"), new byte[0]);
    AtomicInteger stepCount = new AtomicInteger();

    assertThatThrownBy(
            () ->
                RocksBackup.copyFiles(
                    from,
                    folder.resolve("stopped"),
                    () -> {
                      if (stepCount.incrementAndGet() == 3) {
                        throw new StoreClosedException("on purpose");
                      }
                    }))
        .isInstanceOf(StoreClosedException.class);
    RocksBackup.copyFiles(from, folder.resolve("whole"), () -> {});

    assertThat(folder.resolve("stopped/large")).hasSize(2 << 20);
    assertThat(folder.resolve("whole/large")).hasBinaryContent(large);
    assertThat(folder.resolve("whole/empty")).isEmptyFile();
  }

  @Test
  void open_processDiedDuringABackup_removesItsLinks() throws IOException {
    open().close();
    Path left = Files.createDirectories(folder.resolve("copying123/data"));
    Files.write(left.resolve("000001.sst"), new byte[1]);

    open(StoreOptions.of(folder).access(Access.READ_ONLY)).close();
    assertThat(left).exists();
    open().close();

    assertThat(folder.resolve("copying123")).doesNotExist();
  }

  private RocksStore open() {
    return RocksPlainFactory.openStore(StoreOptions.of(folder));
  }

  private static OrderedStore open(StoreOptions options) {
    return new RocksPlainFactory().open(options);
  }
}
