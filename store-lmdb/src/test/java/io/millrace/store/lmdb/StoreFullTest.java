package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fullness, of the store's own limit and of the disk: told cleanly, got out of by freeing, and left
 * behind.
 */
class StoreFullTest {

  private static final int ROWS_PER_BATCH = 20;
  private static final int VALUE_BYTES = 1_000;
  private static final byte[] END = {(byte) 0xFF};

  @TempDir Path folder;

  @Test
  void write_limitReached_isFullUntilRowsAreFreed() {
    StoreOptions options = StoreOptions.of(folder).withStoreBytesMax(1 << 20);
    try (OrderedStore store = new LmdbStoreFactory().open(options)) {
      assertFullAndFree(store);
    }
  }

  @Test
  void write_diskFull_isFullUntilRowsAreFreed() throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder.toString());
    try (OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(folder.resolve("s")))) {
      assertFullAndFree(store);
    } finally {
      Machine.run("umount", folder.toString());
    }
  }

  @Test
  void write_journaledDiskFull_isFullUntilRowsAreFreed() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    String disk = folder.resolve("disk").toString();
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Machine.run("truncate", "-s", "12M", disk);
    Machine.run("mkfs.ext4", "-q", disk);
    Machine.run("mount", "-o", "loop", disk, mount.toString());
    try (OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(mount.resolve("s")))) {
      assertFullAndFree(store);
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  @Test
  void write_diskFullForOneLargeBatch_smallOnesGoOn() throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder.toString());
    try (OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(folder.resolve("s")))) {
      WriteBatch large = new WriteBatch(1);
      large.put(key(0, 0), new byte[8 << 20]);

      assertThatThrownBy(() -> store.write(large)).isInstanceOf(StoreFullException.class);

      assertThat(store.lastCommit()).isZero();
      assertThat(rowCount(store)).isZero();
      store.write(rows(1, Reserve.USE));
      assertThat(rowCount(store)).isEqualTo(ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", folder.toString());
    }
  }

  @Test
  void write_atTheLimitForLong_freeingAlwaysGetsThrough() {
    Random random = new Random(1);
    StoreOptions options = StoreOptions.of(folder).withStoreBytesMax(2 << 20);
    try (OrderedStore store = new LmdbStoreFactory().open(options)) {
      int fullCount = 0;
      long oldest = 1;
      for (int i = 0; i < 2_000; i++) {
        try {
          WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
          batch.put(key(batch.number(), 0), new byte[random.nextInt(20_000)]);
          store.write(batch);
        } catch (StoreFullException e) {
          fullCount++;
          WriteBatch freeing = new WriteBatch(store.lastCommit() + 1, Reserve.USE);
          for (int j = 0; j < 5; j++) {
            freeing.delete(key(oldest++, 0));
          }
          freeing.put(key(freeing.number(), 0), new byte[100]);
          store.write(freeing);
        }
      }
      assertThat(fullCount).isGreaterThan(100);
    }
    assertThat(folder.resolve(DataFile.FILE_NAME).toFile().length()).isLessThan(6 << 20);
  }

  @Test
  void open_withALowerLimitThanUsed_isFullButReadable() throws IOException {
    try (OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(folder))) {
      for (int i = 1; i <= 200; i++) {
        store.write(rows(i, Reserve.KEEP));
      }
    }
    assertThat(Files.size(folder.resolve(DataFile.FILE_NAME))).isGreaterThan(4 << 20);

    StoreOptions options = StoreOptions.of(folder).withStoreBytesMax(1 << 20);
    try (OrderedStore store = new LmdbStoreFactory().open(options)) {
      assertThat(rowCount(store)).isEqualTo(200 * ROWS_PER_BATCH);
      assertThatThrownBy(() -> store.write(rows(201, Reserve.KEEP)))
          .isInstanceOf(StoreFullException.class);
      for (int i = 1; i <= 190; i++) {
        store.write(deletes(200 + i, i));
      }
      store.write(rows(391, Reserve.KEEP));
    }
  }

  private static void assertFullAndFree(OrderedStore store) {
    for (int round = 0; round < 3; round++) {
      long first = store.lastCommit() + 1;
      assertThatThrownBy(() -> fill(store)).isInstanceOf(StoreFullException.class);
      long last = store.lastCommit();
      assertThat(rowCount(store)).isEqualTo((last - first + 1) * ROWS_PER_BATCH);
      assertThatThrownBy(() -> store.write(rows(last + 1, Reserve.KEEP)))
          .isInstanceOf(StoreFullException.class);
      assertThat(store.lastCommit()).isEqualTo(last);

      for (long freed = first; freed <= last; freed++) {
        store.write(deletes(store.lastCommit() + 1, freed));
      }

      assertThat(rowCount(store)).isZero();
      store.sync();
    }
  }

  private static void fill(OrderedStore store) {
    for (int i = 0; i < 10_000; i++) {
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
    }
  }

  private static WriteBatch rows(long number, Reserve reserve) {
    WriteBatch batch = new WriteBatch(number, reserve);
    for (int i = 0; i < ROWS_PER_BATCH; i++) {
      batch.put(key(number, i), new byte[VALUE_BYTES]);
    }
    return batch;
  }

  private static WriteBatch deletes(long number, long freed) {
    WriteBatch batch = new WriteBatch(number, Reserve.USE);
    for (int i = 0; i < ROWS_PER_BATCH; i++) {
      batch.delete(key(freed, i));
    }
    return batch;
  }

  private static byte[] key(long number, int index) {
    return ByteBuffer.allocate(9).putLong(number).put((byte) index).array();
  }

  private static long rowCount(OrderedStore store) {
    try (ReadView view = store.read()) {
      return view.scan(new byte[0], END, Integer.MAX_VALUE, (key, value) -> true);
    }
  }
}
