package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.StoreFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fullness, of the store's own limit and of the disk: told cleanly, got out of by freeing, and left
 * behind.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class FullStoreContractTest {

  protected static final int ROWS_PER_BATCH = 20;
  private static final int VALUE_BYTES = 1_000;
  private static final byte[] END = {(byte) 0xFF};

  @TempDir protected Path folder;

  private final StoreFactory factory;

  protected FullStoreContractTest(StoreFixture fixture) {
    this.factory = fixture.factory();
  }

  @Test
  void write_limitReached_isFullUntilRowsAreFreed() {
    StoreOptions options = StoreOptions.of(folder).storeBytesMax(1 << 20);
    try (OrderedStore store = factory.open(options)) {
      assertFullAndFree(store);
    }
  }

  @Test
  void write_diskFull_isFullUntilRowsAreFreed() throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder.toString());
    try (OrderedStore store = factory.open(StoreOptions.of(folder.resolve("s")))) {
      assertFullAndFree(store);
    } finally {
      Machine.run("umount", folder.toString());
    }
  }

  @Test
  void write_journaledDiskFull_isFullUntilRowsAreFreed() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("32M");
    try (OrderedStore store = factory.open(StoreOptions.of(mount.resolve("s")))) {
      assertFullAndFree(store);
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  @Test
  void write_atTheLimitForLong_freeingAlwaysGetsThrough() throws IOException {
    Random random = new Random(1);
    StoreOptions options = StoreOptions.of(folder).storeBytesMax(2 << 20);
    try (OrderedStore store = factory.open(options)) {
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
    assertThat(bytesIn(folder)).isLessThan(8 << 20);
  }

  @Test
  void open_withALowerLimitThanUsed_isFullButReadable() {
    try (OrderedStore store = factory.open(StoreOptions.of(folder))) {
      for (int i = 1; i <= 200; i++) {
        store.write(rows(i, Reserve.KEEP));
      }
    }

    StoreOptions options = StoreOptions.of(folder).storeBytesMax(1 << 20);
    try (OrderedStore store = factory.open(options)) {
      assertThat(rowCount(store)).isEqualTo(200 * ROWS_PER_BATCH);
      assertThatThrownBy(() -> store.write(rows(201, Reserve.KEEP)))
          .isInstanceOf(StoreFullException.class);
      for (int i = 1; i <= 190; i++) {
        store.write(deletes(200 + i, i));
      }
      store.write(rows(391, Reserve.KEEP));
    }
  }

  @Test
  void backup_ontoADiskThatIsTooSmall_failsAndLeavesNothing() throws IOException {
    Machine.require("mount", "umount");
    Path small = Files.createDirectory(folder.resolve("small"));
    Machine.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString());
    try (OrderedStore store = factory.open(StoreOptions.of(folder.resolve("s")))) {
      WriteBatch large = new WriteBatch(1);
      large.put(key(1, 0), new byte[4 << 20]);
      store.write(large);

      assertThatThrownBy(() -> store.backupTo(small.resolve("copy")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(small.toString());

      assertThat(small.resolve("copy")).isEmptyDirectory();
      store.backupTo(folder.resolve("copy"));
      try (OrderedStore copy = factory.open(StoreOptions.of(folder.resolve("copy")))) {
        assertThat(rowCount(copy)).isEqualTo(1);
      }
    } finally {
      Machine.run("umount", small.toString());
    }
  }

  /** Makes a small disk; to be unmounted. */
  protected final Path mountLoop(String size) throws IOException {
    String disk = folder.resolve("disk").toString();
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Machine.run("truncate", "-s", size, disk);
    Machine.run("mkfs.ext4", "-q", disk);
    Machine.run("mount", "-o", "loop", disk, mount.toString());
    return mount;
  }

  private static void assertFullAndFree(OrderedStore store) {
    for (int round = 0; round < 3; round++) {
      long first = store.lastCommit() + 1;
      long last = fillUntilItStaysFull(store);
      assertThat(rowCount(store)).isEqualTo((last - first + 1) * ROWS_PER_BATCH);

      for (long freed = first; freed <= last; freed++) {
        store.write(deletes(store.lastCommit() + 1, freed));
      }

      assertThat(rowCount(store)).isZero();
      store.sync();
    }
  }

  /**
   * Writes until the store refuses twice in a row. Returns what it took last. Work of the store
   * beside us, such as compacting, may give back room after a refusal, which may be used then.
   */
  private static long fillUntilItStaysFull(OrderedStore store) {
    long refusedAt;
    do {
      refusedAt = store.lastCommit();
      assertThatThrownBy(() -> fill(store)).isInstanceOf(StoreFullException.class);
    } while (store.lastCommit() > refusedAt);
    return refusedAt;
  }

  /** Writes rows until the store refuses them. */
  protected static void fill(OrderedStore store) {
    for (int i = 0; i < 10_000; i++) {
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
    }
  }

  protected static WriteBatch rows(long number, Reserve reserve) {
    WriteBatch batch = new WriteBatch(number, reserve);
    for (int i = 0; i < ROWS_PER_BATCH; i++) {
      batch.put(key(number, i), new byte[VALUE_BYTES]);
    }
    return batch;
  }

  protected static WriteBatch deletes(long number, long freed) {
    WriteBatch batch = new WriteBatch(number, Reserve.USE);
    for (int i = 0; i < ROWS_PER_BATCH; i++) {
      batch.delete(key(freed, i));
    }
    return batch;
  }

  private static byte[] key(long number, int index) {
    return ByteBuffer.allocate(9).putLong(number).put((byte) index).array();
  }

  protected static long rowCount(OrderedStore store) {
    try (ReadView view = store.read()) {
      return view.scan(new byte[0], END, Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  private static long bytesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
