package io.millrace.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.LoggedStore;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.testkit.fault.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is RocksDB's own way of keeping to the contract. */
@Tag("slow")
class RocksStoreTest {

  private static final byte[] END = {(byte) 0xFF, (byte) 0xFF};

  @TempDir Path folder;

  @Test
  void factory_isFoundByItsScheme() {
    assertThat(ServiceLoader.load(StoreFactory.class))
        .extracting(StoreFactory::scheme)
        .contains("rocksdb");
  }

  @Test
  void open_newStore_foldersAreForTheirOwnerAlone() throws IOException {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));

      assertThat(modeOf(folder)).isEqualTo("rwx------");
      assertThat(modeOf(folder.resolve(DatabaseFolder.DATA_FOLDER))).isEqualTo("rwx------");
      for (String file : List.of("LOCK", "OWNER", "MILLRACE", "WATERMARK")) {
        assertThat(modeOf(folder.resolve(file))).as(file).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void sync_afterWrites_isWhatMakesThemDurable() {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
      store.write(put(2, "b"));
      assertThat(store.syncedCommit()).isZero();

      store.sync();

      assertThat(store.syncedCommit()).isEqualTo(2);
    }
  }

  @Test
  void scan_fromTheVeryStart_doesNotShowTheCommitRecord() {
    try (OrderedStore store = open()) {
      WriteBatch batch = new WriteBatch(1);
      batch.put(new byte[] {0}, new byte[] {1});
      store.write(batch);

      try (ReadView view = store.read()) {
        List<byte[]> keys = new ArrayList<>();
        view.scan(new byte[0], END, 10, (key, value) -> keys.add(key));
        assertThat(keys).containsExactly(new byte[] {0});
        assertThat(view.scan(new byte[0], new byte[0], 10, (key, value) -> true)).isZero();
        assertThat(view.scan(new byte[0], new byte[] {0}, 10, (key, value) -> true)).isZero();
      }
    }
  }

  @Test
  void scan_emptyRangeBeforeManyDeletedRows_doesNotWadeThroughThem() {
    int deletedCount = 200_000;
    try (OrderedStore store = open()) {
      for (int from = 0; from < deletedCount; from += 10_000) {
        WriteBatch puts = new WriteBatch(store.lastCommit() + 1);
        for (int i = from; i < from + 10_000; i++) {
          puts.put(row(2, i), new byte[0]);
        }
        store.write(puts);
        WriteBatch deletes = new WriteBatch(store.lastCommit() + 1);
        for (int i = from; i < from + 10_000; i++) {
          deletes.delete(row(2, i));
        }
        store.write(deletes);
      }

      long bestNs = Long.MAX_VALUE;
      try (ReadView view = store.read()) {
        for (int i = 0; i < 20; i++) {
          long startNs = System.nanoTime();
          assertThat(view.scan(row(1, 0), row(2, 0), 1, (key, value) -> true)).isZero();
          bestNs = Math.min(bestNs, System.nanoTime() - startNs);
        }
      }

      assertThat(bestNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Test
  void close_callThatStaysInside_isWaitedForAndCloses() throws Exception {
    OrderedStore store = RocksPlainFactory.openStore(StoreOptions.of(folder), 1_000_000);
    store.write(put(1, "a"));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CompletableFuture<Integer> scan =
        CompletableFuture.supplyAsync(
            () -> {
              try (ReadView view = store.read()) {
                return view.scan(
                    new byte[0],
                    END,
                    10,
                    (key, value) -> {
                      inside.countDown();
                      await(leave);
                      return true;
                    });
              }
            });
    inside.await();

    assertThatThrownBy(store::close)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("the last of them syncs and closes it")
        .hasMessageContaining(folder.toString());
    store.close();
    assertThatThrownBy(store::read).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);

    leave.countDown();
    assertThat(scan.get()).isEqualTo(1);
    assertThatThrownBy(store::read).isInstanceOf(StoreClosedException.class);
    try (OrderedStore again = open()) {
      assertThat(again.lastCommit()).isEqualTo(1);
      again.write(put(2, "b"));
    }
  }

  @Test
  void renew_storeInUse_keepsEverythingAndEndsOpenViews() {
    try (RocksStore store = open()) {
      store.write(put(1, "a"));
      long epoch = store.epoch();
      ReadView older = store.read();

      store.renew();

      assertThatThrownBy(() -> older.get(key("a"))).isInstanceOf(ViewEndedException.class);
      older.close();
      assertThat(store.lastCommit()).isEqualTo(1);
      assertThat(store.syncedCommit()).isEqualTo(1);
      assertThat(store.epoch()).isEqualTo(epoch);
      store.write(put(2, "b"));
      try (ReadView view = store.read()) {
        assertThat(view.commit()).isEqualTo(2);
        assertThat(view.get(key("a"))).isNotNull();
        assertThat(view.get(key("b"))).isNotNull();
      }
    }
    try (RocksStore store = open()) {
      assertThat(store.lastCommit()).isEqualTo(2);
    }
  }

  @Test
  void renew_whileACallIsInside_isGivenUpAndTheCallGoesOn() {
    try (RocksStore store = open();
        ReadView view = readAfter(store, put(1, "a"))) {
      int seen =
          view.scan(
              new byte[0],
              END,
              10,
              (key, value) -> {
                store.renew();
                return view.get(key) != null;
              });

      assertThat(seen).isEqualTo(1);
      assertThat(view.get(key("a"))).isNotNull();
      store.write(put(2, "b"));
    }
  }

  @Test
  void renew_besideReadersAllTheTime_showsThemEverythingOrTellsThem() throws Exception {
    int renewalCount = 10;
    AtomicBoolean isOver = new AtomicBoolean();
    try (RocksStore store = open()) {
      store.write(put(1, "a"));
      List<CompletableFuture<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(CompletableFuture.supplyAsync(() -> readUntil(isOver, store)));
      }
      for (int i = 0; i < renewalCount; i++) {
        store.renew();
        store.write(put(store.lastCommit() + 1, "b"));
        store.sync();
      }
      isOver.set(true);
      for (CompletableFuture<Integer> reader : readers) {
        assertThat(reader.get(10, TimeUnit.SECONDS)).isPositive();
      }
      assertThat(store.lastCommit()).isEqualTo(1 + renewalCount);
    }
  }

  @Test
  void renew_databaseCannotBeOpened_isToldUntilTheStoreIsClosedAndOpenedAgain() throws IOException {
    Path manifest = folder.resolve(DatabaseFolder.DATA_FOLDER).resolve("CURRENT");
    Path aside = folder.resolve("aside");
    try (RocksStore store = open()) {
      store.write(put(1, "a"));
      ReadView view = store.read();
      Files.move(manifest, aside);

      assertThatThrownBy(store::renew).isInstanceOf(StoreFailedException.class);

      assertThatThrownBy(() -> store.write(put(2, "b"))).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(store::read).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(() -> view.get(key("a"))).isInstanceOf(StoreFailedException.class);
      assertThat(store.lastCommit()).isEqualTo(1);
      view.close();
    }
    Files.move(aside, manifest);
    try (RocksStore store = open();
        ReadView view = store.read()) {
      assertThat(view.get(key("a"))).isNotNull();
    }
  }

  private static ReadView readAfter(OrderedStore store, WriteBatch batch) {
    store.write(batch);
    return store.read();
  }

  /** Reads a row that is always there; answers how often it was seen. */
  private static int readUntil(AtomicBoolean isOver, OrderedStore store) {
    int seen = 0;
    while (!isOver.get() || seen == 0) {
      try (ReadView view = store.read()) {
        assertThat(view.get(key("a"))).isNotNull();
        assertThat(view.commit()).isPositive();
        seen++;
      } catch (ViewEndedException e) {
        // The next one sees everything.
        continue;
      }
    }
    return seen;
  }

  @Test
  void open_bitFlippedInTheLog_isToldAsLoss() throws IOException {
    try (OrderedStore store = open()) {
      for (int i = 1; i <= 20; i++) {
        store.write(History.batch(i));
      }
    }
    Path log = newestLog();
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length / 2] ^= 1;
    Files.write(log, bytes);

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("durable commit=20");

    try (OrderedStore store = open(StoreOptions.of(folder).lostCommits(LostCommits.ACCEPT))) {
      assertThat(store.lastCommit()).isLessThan(20);
      History.verify(store);
    }
  }

  @Test
  void open_logDeletedOrCutOff_isToldAsLoss() throws IOException {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
    }
    Path log = newestLog();
    byte[] whole = Files.readAllBytes(log);

    Files.write(log, new byte[0]);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("holds less than was once durable");
    Files.delete(log);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("holds less than was once durable");

    Files.write(log, whole);
    open().close();
  }

  @Test
  void open_fileThatNamesTheOthersIsGone_isRefusedEvenWhenLossIsAccepted() throws IOException {
    open().close();
    Files.delete(folder.resolve(DatabaseFolder.DATA_FOLDER).resolve("CURRENT"));

    assertThatThrownBy(() -> open(StoreOptions.of(folder).lostCommits(LostCommits.ACCEPT)))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("restore it from a backup: missing=");
  }

  @Test
  void open_killedWhileBeingCreated_beginsAgain() throws IOException {
    Path made = folder.resolve("new");
    // What is there before the first epoch was synced: no watermark yet, and files half written.
    try (StoreFolder half =
        StoreFolder.open(StoreOptions.of(made), RocksLimits.NAME, LoggedStore.PLAIN_FORMAT)) {
      Path data = half.subfolder(DatabaseFolder.DATA_FOLDER);
      Files.write(data.resolve("CURRENT"), new byte[0]);
      Files.write(data.resolve("MANIFEST-000001"), new byte[100]);
    }

    try (OrderedStore store = open(StoreOptions.of(made))) {
      assertThat(store.epoch()).isEqualTo(1);
    }
  }

  @Test
  void open_readOnly_changesNoFile() throws IOException {
    try (OrderedStore store = open()) {
      store.write(History.batch(1));
    }
    List<String> before = dataFiles();

    try (OrderedStore store = open(StoreOptions.of(folder).access(Access.READ_ONLY))) {
      assertThat(store.epoch()).isEqualTo(1);
      History.verify(store);
      assertThatThrownBy(() -> store.write(put(2, "b"))).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(store::sync).isInstanceOf(IllegalStateException.class);
    }

    assertThat(dataFiles()).isEqualTo(before);
  }

  private RocksStore open() {
    return RocksPlainFactory.openStore(StoreOptions.of(folder));
  }

  private static OrderedStore open(StoreOptions options) {
    return new RocksPlainFactory().open(options);
  }

  private Path newestLog() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(DatabaseFolder.DATA_FOLDER))) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  /** Names, lengths and times of RocksDB's files. */
  private List<String> dataFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(DatabaseFolder.DATA_FOLDER))) {
      return files
          .map(file -> file + " " + file.toFile().length() + " " + file.toFile().lastModified())
          .sorted()
          .toList();
    }
  }

  private static String modeOf(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] row(int range, int index) {
    return ByteBuffer.allocate(5).put((byte) range).putInt(index).array();
  }

  private static byte[] key(String key) {
    return key.getBytes(UTF_8);
  }

  private static WriteBatch put(long number, String key) {
    WriteBatch batch = new WriteBatch(number);
    batch.put(key(key), new byte[] {1});
    return batch;
  }
}
