package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies taken while the store is at work, and data files that are not what they should be. */
@Tag("slow")
class BackupTest {

  private static final int VERSION_OFFSET = 20;

  @TempDir Path parent;

  StoreFactory factory() {
    return new LmdbPlainFactory();
  }

  @Test
  void backupTo_newStore_isAnEmptyStore() throws IOException {
    try (OrderedStore store = open(parent.resolve("store"))) {
      store.backupTo(parent.resolve("deep/copy"));
    }

    assertThat(names(parent.resolve("deep/copy")))
        .containsExactlyInAnyOrder("MILLRACE", "WATERMARK", "data.mdb");
    StoreOptions reading = StoreOptions.of(parent.resolve("deep/copy")).access(Access.READ_ONLY);
    try (OrderedStore copy = factory().open(reading)) {
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
  void backupTo_storeIsClosedMeanwhile_stopsAndLeavesNothing() throws Exception {
    Path target = parent.resolve("copy");
    OrderedStore store = open(parent.resolve("store"));
    for (int i = 1; i <= 16; i++) {
      WriteBatch batch = new WriteBatch(i);
      batch.put(new byte[] {(byte) i}, new byte[8 << 20]);
      store.write(batch);
    }
    CompletableFuture<Void> backup = CompletableFuture.runAsync(() -> store.backupTo(target));
    while (!Files.exists(target.resolve(DataFile.FILE_NAME)) && !backup.isDone()) {
      Thread.onSpinWait();
    }

    store.close();

    assertThatThrownBy(backup::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreClosedException.class);
    assertThat(target).isEmptyDirectory();
    try (OrderedStore again = open(parent.resolve("store"))) {
      assertThat(again.lastCommit()).isEqualTo(16);
      again.backupTo(target);
    }
    try (OrderedStore copy = open(target)) {
      assertThat(copy.lastCommit()).isEqualTo(16);
      assertThat(copy.flaws()).isEmpty();
    }
  }

  @Test
  void backupTo_ofManyRowsAndLongOnes_hasThemAllAndIsNoLonger() throws IOException {
    int rowCount = 100_000;
    byte[] longKey = new byte[LmdbLimits.KEY_BYTES_MAX];
    Arrays.fill(longKey, (byte) 0xFF);
    try (OrderedStore store = open(parent.resolve("store"))) {
      WriteBatch small = new WriteBatch(1);
      for (int i = 0; i < rowCount; i++) {
        small.put(ByteBuffer.allocate(4).putInt(Integer.reverse(i)).array(), new byte[i % 200]);
      }
      store.write(small);
      WriteBatch large = new WriteBatch(2);
      large.put(longKey, new byte[LmdbLimits.VALUE_BYTES_MAX]);
      large.put(new byte[] {0}, new byte[1 << 20]);
      store.write(large);

      store.backupTo(parent.resolve("copy"));

      try (OrderedStore copy = open(parent.resolve("copy"));
          ReadView expected = store.read();
          ReadView copied = copy.read()) {
        assertThat(copied.commit()).isEqualTo(2);
        assertThat(copy.flaws()).isEmpty();
        assertThat(digest(copied)).isEqualTo(digest(expected));
        copy.write(History.batch(3));
      }
    }
    assertThat(DataFile.check(parent.resolve("copy")))
        .isLessThan(DataFile.check(parent.resolve("store")));
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

  private OrderedStore open(Path folder) {
    return factory().open(StoreOptions.of(folder));
  }

  private static String digest(ReadView view) {
    CRC32C crc = new CRC32C();
    int count =
        view.scan(
            new byte[0],
            new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF},
            Integer.MAX_VALUE,
            (key, value) -> {
              crc.update(key);
              crc.update(value);
              return true;
            });
    byte[] longest = new byte[LmdbLimits.KEY_BYTES_MAX];
    Arrays.fill(longest, (byte) 0xFF);
    crc.update(view.get(longest));
    return count + " rows, " + crc.getValue();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }
}
