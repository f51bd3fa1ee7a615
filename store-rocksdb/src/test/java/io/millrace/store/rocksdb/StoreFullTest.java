package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.fault.FullStoreContractTest;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

@Tag("thorough")
class StoreFullTest extends FullStoreContractTest {

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  StoreFullTest() {
    super(RocksPlainFactory::new);
  }

  @Test
  void write_othersFillTheDiskToTheLastByte_freeingGoesOnAndWorkResumes() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    try (OrderedStore store = new RocksPlainFactory().open(StoreOptions.of(mount.resolve("s")))) {
      writeUntilReserveIsHeld(store, mount.resolve("s"));
      fillUp(mount.resolve("others"));

      // The store looks how much room there is every 100 ms.
      assertThatThrownBy(() -> fill(store)).isInstanceOf(StoreFullException.class);
      long rowBatchCount = store.lastCommit();
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

  static List<StoreFactory> factories() {
    return List.of(new RocksPlainFactory(), new RocksLogFactory());
  }

  /**
   * Stores and the KiB that others leave on their disk: how far an opening comes differs, up to the
   * file of RocksDB's options and to the commit that raises the epoch.
   */
  static Stream<Arguments> openings() {
    return Stream.concat(
        Stream.of(arguments(new RocksPlainFactory(), 64)),
        Stream.of(60, 64, 92, 108, 116, 120, 124)
            .map(kib -> arguments(new RocksLogFactory(), kib)));
  }

  @ParameterizedTest
  @MethodSource("openings")
  void open_othersLeftNoRoomForIt_freesAllTheSame(StoreFactory factory, int leftKib)
      throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    StoreOptions options = StoreOptions.of(mount.resolve("s"));
    try {
      long rowBatchCount;
      try (OrderedStore store = new RocksPlainFactory().open(options)) {
        writeUntilReserveIsHeld(store, mount.resolve("s"));
        rowBatchCount = store.lastCommit();
      }
      factory.open(options).close();
      Path others = mount.resolve("others");
      fillUp(others);
      try (RandomAccessFile file = new RandomAccessFile(others.toFile(), "rw")) {
        // A folder's lock is a file of its own.
        file.setLength(file.length() - (leftKib << 10));
      }

      try (OrderedStore store = factory.open(options)) {
        for (long freed = 1; freed <= rowBatchCount; freed++) {
          store.write(deletes(store.lastCommit() + 1, freed));
        }
        assertThat(rowCount(store)).isZero();
      }
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  @Test
  void write_roomIsThereAgainAfterRocksDbHadNone_freeingGoesThroughAtOnce() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    try (OrderedStore store = new RocksPlainFactory().open(StoreOptions.of(mount.resolve("s")))) {
      store.write(rows(1, Reserve.KEEP));
      fillUp(mount.resolve("others"));
      assertThatThrownBy(
              () -> {
                while (true) {
                  store.write(manyDeletes(store.lastCommit() + 1));
                }
              })
          .isInstanceOf(StoreFullException.class);
      long lastCommit = store.lastCommit();
      Files.delete(mount.resolve("others"));

      store.write(deletes(lastCommit + 1, 1));

      assertThat(store.lastCommit()).isEqualTo(lastCommit + 1);
      assertThat(rowCount(store)).isZero();
      store.write(rows(lastCommit + 2, Reserve.KEEP));
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("factories")
  void write_compactionHadNoRoom_whatIsFreedGivesRoomAllTheSame(StoreFactory factory)
      throws IOException, RocksDBException {
    Machine.require("mount", "umount");
    // The files of a log take three.
    String size = factory instanceof RocksLogFactory ? "15m" : "12m";
    Machine.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
    Path storeFolder = folder.resolve("s");
    long rowBatchCount = fillWithoutCompaction(factory, storeFolder);
    try (OrderedStore store = factory.open(StoreOptions.of(storeFolder))) {
      assertThat(store.lastCommit()).isEqualTo(rowBatchCount);
      for (long freed = 1; freed <= rowBatchCount; freed++) {
        store.write(deletes(store.lastCommit() + 1, freed));
      }
      assertThat(rowCount(store)).isZero();

      writeOnceThereIsRoom(store, rows(store.lastCommit() + 1, Reserve.KEEP));
      assertThat(rowCount(store)).isEqualTo(ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", folder.toString());
    }
  }

  @Test
  void renew_diskIsFullAgain_isTriedAgainWhenThereIsRoom() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    Path folder = mount.resolve("s");
    try (RocksStore store = RocksPlainFactory.openStore(StoreOptions.of(folder))) {
      store.write(rows(1, Reserve.KEEP));
      fillUp(mount.resolve("others"));
      refuseForAWhile(store);
      keepFromBeingOpened(folder);

      assertThatThrownBy(store::renew).isInstanceOf(StoreFullException.class);

      assertThat(store.lastCommit()).isGreaterThanOrEqualTo(1);
      assertThatThrownBy(store::read).isInstanceOf(StoreFullException.class);
      assertThatThrownBy(() -> store.write(deletes(store.lastCommit() + 1, 1)))
          .isInstanceOf(StoreFullException.class);
      store.settle();

      letBeOpened(folder);
      Files.delete(mount.resolve("others"));
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
      assertThat(store.syncedCommit()).isEqualTo(store.lastCommit() - 1);
      store.sync();
      assertThat(rowCount(store)).isEqualTo(2 * ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  @Test
  void settle_databaseIsClosedForRoomThatIsThereNow_opensItForThoseWhoOnlyRead()
      throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    Path folder = mount.resolve("s");
    try (RocksStore store = RocksPlainFactory.openStore(StoreOptions.of(folder))) {
      store.write(rows(1, Reserve.KEEP));
      fillUp(mount.resolve("others"));
      keepFromBeingOpened(folder);
      // At once: no batch was refused for long.
      assertThatThrownBy(store::renew).isInstanceOf(StoreFullException.class);
      letBeOpened(folder);
      Files.delete(mount.resolve("others"));
      assertThatThrownBy(store::read).isInstanceOf(StoreFullException.class);

      store.settle();

      assertThat(rowCount(store)).isEqualTo(ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  /**
   * Closing the database may make just enough room to open it: so it cannot be opened, and would
   * need more room if it could.
   */
  private static void keepFromBeingOpened(Path folder) throws IOException {
    Path data = folder.resolve(DatabaseFolder.DATA_FOLDER);
    Files.move(data.resolve("CURRENT"), folder.resolve("aside"));
    try (RandomAccessFile sparse = new RandomAccessFile(longLog(folder).toFile(), "rw")) {
      sparse.setLength(32 << 20);
    }
  }

  private static void letBeOpened(Path folder) throws IOException {
    Path data = folder.resolve(DatabaseFolder.DATA_FOLDER);
    Files.move(folder.resolve("aside"), data.resolve("CURRENT"));
    Files.delete(longLog(folder));
  }

  private static Path longLog(Path folder) {
    return folder.resolve(DatabaseFolder.DATA_FOLDER).resolve("999999.log");
  }

  @Test
  void sync_rocksDbTakesNoBatch_flushesWhatItTookAndOpensNothingAnew() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4");
    Path mount = mountLoop("64M");
    try (RocksStore store = RocksPlainFactory.openStore(StoreOptions.of(mount.resolve("s")))) {
      store.write(rows(1, Reserve.KEEP));
      fillUp(mount.resolve("others"));
      refuseForAWhile(store);
      Files.delete(mount.resolve("others"));

      try (ReadView view = store.read()) {
        store.sync();

        assertThat(store.syncedCommit()).isEqualTo(store.lastCommit());
        assertThat(view.commit()).isEqualTo(store.lastCommit());
      }
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
    } finally {
      Machine.run("umount", mount.toString());
    }
  }

  /** Writes until RocksDB itself has had no room for a second. */
  private static void refuseForAWhile(OrderedStore store) {
    long refusedSinceNs = 0;
    while (refusedSinceNs == 0 || System.nanoTime() - refusedSinceNs < 1_500_000_000L) {
      try {
        store.write(manyDeletes(store.lastCommit() + 1));
        refusedSinceNs = 0;
      } catch (StoreFullException e) {
        refusedSinceNs = refusedSinceNs == 0 ? System.nanoTime() : refusedSinceNs;
      }
    }
  }

  private static WriteBatch manyDeletes(long number) {
    WriteBatch batch = new WriteBatch(number, Reserve.USE);
    for (byte i = 0; i < 100; i++) {
      byte[] key = new byte[400];
      key[0] = i;
      batch.delete(key);
    }
    return batch;
  }

  /**
   * A store with so many tables side by side that compacting them takes more than there is left;
   * answers how many batches of rows it holds.
   */
  private static long fillWithoutCompaction(StoreFactory factory, Path folder)
      throws IOException, RocksDBException {
    factory.open(StoreOptions.of(folder)).close();
    Path data = folder.resolve(DatabaseFolder.DATA_FOLDER);
    long memtableBytes =
        RocksLimits.memtableBytes(
            StoreOptions.STORE_BYTES_MAX_DEFAULT, Files.getFileStore(folder).getTotalSpace());
    long commit = 0;
    try (Settings settings =
            new Settings(
                Access.READ_WRITE, Settings.Logs.CHAINED, memtableBytes, new DatabaseLog());
        RocksDB database = RocksDB.open(settings.options, data.toString())) {
      while (database.getLongProperty("rocksdb.total-sst-files-size") < 5 << 20) {
        commit++;
        try (org.rocksdb.WriteBatch batch =
            new org.rocksdb.WriteBatch(BatchBytes.of(rows(commit, Reserve.KEEP), 1))) {
          database.write(settings.synced, batch);
        }
      }
    }
    return commit;
  }

  private static void writeOnceThereIsRoom(OrderedStore store, WriteBatch batch) {
    long beganNs = System.nanoTime();
    while (true) {
      try {
        store.write(batch);
        return;
      } catch (StoreFullException e) {
        if (System.nanoTime() - beganNs > PATIENCE_NS) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Writes until the store has put its reserve by. */
  private static void writeUntilReserveIsHeld(OrderedStore store, Path folder) throws IOException {
    Path reserve = folder.resolve(Ballast.FILE_NAME);
    long wantedBytes =
        RocksLimits.ballastBytes(
            RocksLimits.memtableBytes(
                StoreOptions.STORE_BYTES_MAX_DEFAULT, Files.getFileStore(folder).getTotalSpace()));
    do {
      store.write(rows(store.lastCommit() + 1, Reserve.KEEP));
      store.sync();
    } while (reserve.toFile().length() < wantedBytes);
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
