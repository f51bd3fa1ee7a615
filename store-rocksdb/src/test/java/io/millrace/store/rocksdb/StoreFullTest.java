package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.fault.FullStoreContractTest;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StoreFullTest extends FullStoreContractTest {

  StoreFullTest() {
    super(RocksStoreFactory::new);
  }

  @Test
  void write_othersFillTheDiskToTheLastByte_freeingGoesOnAndWorkResumes() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    try (OrderedStore store = new RocksStoreFactory().open(StoreOptions.of(mount.resolve("s")))) {
      long rowBatchCount = writeUntilReserveIsHeld(store, mount.resolve("s"));
      fillUp(mount.resolve("others"));

      assertThatThrownBy(() -> store.write(rows(store.lastCommit() + 1, Reserve.KEEP)))
          .isInstanceOf(StoreFullException.class);
      for (long freed = 1; freed <= rowBatchCount; freed++) {
        store.write(deletes(store.lastCommit() + 1, freed));
        store.sync();
      }
      assertThat(rowCount(store)).isZero();

      Files.delete(mount.resolve("others"));
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
      store.sync();
      assertThat(rowCount(store)).isEqualTo(ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  @Test
  void renew_diskIsFullAgain_isTriedAgainWhenThereIsRoom() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    Path folder = mount.resolve("s");
    try (RocksStore store = RocksStore.open(StoreOptions.of(folder))) {
      store.write(rows(1, Reserve.KEEP));
      fillUp(mount.resolve("others"));
      refuseForAWhile(store);
      // Closing the database may make just enough room to open it: now it cannot be opened, and
      // would need more room if it could.
      Path data = folder.resolve(RocksStore.DATA_FOLDER);
      Files.move(data.resolve("CURRENT"), folder.resolve("aside"));
      Path longLog = data.resolve("999999.log");
      try (RandomAccessFile sparse = new RandomAccessFile(longLog.toFile(), "rw")) {
        sparse.setLength(32 << 20);
      }

      assertThatThrownBy(store::renew).isInstanceOf(StoreFullException.class);

      assertThat(store.lastCommit()).isGreaterThanOrEqualTo(1);
      assertThatThrownBy(store::read).isInstanceOf(StoreFullException.class);
      assertThatThrownBy(() -> store.write(deletes(store.lastCommit() + 1, 1)))
          .isInstanceOf(StoreFullException.class);
      store.settle();

      Files.move(folder.resolve("aside"), data.resolve("CURRENT"));
      Files.delete(longLog);
      Files.delete(mount.resolve("others"));
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
      assertThat(store.syncedCommit()).isEqualTo(store.lastCommit() - 1);
      store.sync();
      assertThat(rowCount(store)).isEqualTo(2 * ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  /** Writes until RocksDB itself has had no room for a second. */
  private static void refuseForAWhile(OrderedStore store) {
    long refusedSinceNs = 0;
    while (refusedSinceNs == 0 || System.nanoTime() - refusedSinceNs < 1_500_000_000L) {
      try {
        WriteBatch batch = new WriteBatch(store.lastCommit() + 1, Reserve.USE);
        for (byte i = 0; i < 100; i++) {
          byte[] key = new byte[400];
          key[0] = i;
          batch.delete(key);
        }
        store.write(batch);
        refusedSinceNs = 0;
      } catch (StoreFullException e) {
        refusedSinceNs = refusedSinceNs == 0 ? System.nanoTime() : refusedSinceNs;
      }
    }
  }

  /** Writes until the store has put its reserve by; answers how many batches that took. */
  private static long writeUntilReserveIsHeld(OrderedStore store, Path folder) throws IOException {
    Path reserve = folder.resolve(Ballast.FILE_NAME);
    long wantedBytes =
        RocksLimits.ballastBytes(
            RocksLimits.memtableBytes(
                StoreOptions.STORE_BYTES_MAX_DEFAULT, Files.getFileStore(folder).getTotalSpace()));
    do {
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
      store.sync();
    } while (reserve.toFile().length() < wantedBytes);
    return store.lastCommit();
  }

  private static void fillUp(Path file) {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[4_096]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
    }
  }
}
