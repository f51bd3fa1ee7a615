package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.testkit.fault.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies taken while the store is at work, and data files that are not what they should be. */
class BackupTest {

  private static final int VERSION_OFFSET = 20;

  @TempDir Path parent;

  @Test
  void backupTo_newStore_isAnEmptyStore() throws IOException {
    try (OrderedStore store = open(parent.resolve("store"))) {
      store.backupTo(parent.resolve("deep/copy"));
    }

    assertThat(names(parent.resolve("deep/copy")))
        .containsExactlyInAnyOrder("MILLRACE", "WATERMARK", "data.mdb");
    StoreOptions reading =
        StoreOptions.of(parent.resolve("deep/copy")).withAccess(Access.READ_ONLY);
    try (OrderedStore copy = new LmdbStoreFactory().open(reading)) {
      assertThat(copy.epoch()).isEqualTo(1 + OrderedStore.COPY_EPOCH_STEP);
      assertThat(copy.lastCommit()).isZero();
    }
  }

  @Test
  void backupTo_whileWritten_isAPrefix() {
    try (OrderedStore store = open(parent.resolve("store"))) {
      for (int i = 1; i <= 50; i++) {
        store.write(History.batch(i));
      }
      CountDownLatch copied = new CountDownLatch(1);
      CompletableFuture<Void> copies =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 5; i++) {
                  store.backupTo(parent.resolve("copy" + i));
                }
                copied.countDown();
              });
      while (copied.getCount() > 0 && !copies.isCompletedExceptionally()) {
        store.write(History.batch(store.lastCommit() + 1));
      }
      copies.join();
    }

    for (int i = 0; i < 5; i++) {
      try (OrderedStore copy = open(parent.resolve("copy" + i))) {
        assertThat(copy.lastCommit()).isGreaterThanOrEqualTo(50);
        History.verify(copy);
        copy.write(History.batch(copy.lastCommit() + 1));
      }
    }
  }

  @Test
  void open_writtenByAnotherVersionOfLmdb_isRefused() throws IOException {
    Path folder = parent.resolve("store");
    open(folder).close();
    byte[] file = Files.readAllBytes(folder.resolve(DataFile.FILE_NAME));
    ByteBuffer.wrap(file).put(VERSION_OFFSET, (byte) 2);
    Files.write(folder.resolve(DataFile.FILE_NAME), file);

    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("version=2")
        .hasMessageContaining("known=1");
    assertThat(Files.readAllBytes(folder.resolve(DataFile.FILE_NAME))).isEqualTo(file);
  }

  private static OrderedStore open(Path folder) {
    return new LmdbStoreFactory().open(StoreOptions.of(folder));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }
}
