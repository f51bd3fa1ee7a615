package io.millrace.store.lmdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.LoggedStore;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store under threads, at its limits, and at its end. */
@Tag("slow")
class StoreUseTest {

  private static final byte[] END = {(byte) 0xFF, (byte) 0xFF};

  @TempDir Path folder;

  StoreFactory factory() {
    return new LmdbPlainFactory();
  }

  @Test
  void factory_isFoundByItsScheme() {
    assertThat(ServiceLoader.load(StoreFactory.class))
        .extracting(StoreFactory::scheme)
        .contains("lmdb");
  }

  @Test
  void open_newStore_filesAreForTheirOwnerAlone() throws IOException {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
      try (var files = Files.walk(folder)) {
        for (Path file : (Iterable<Path>) files.skip(1)::iterator) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
              .as(file.toString())
              .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
        }
      }
    }
  }

  @Test
  void write_keysAndValuesAtTheirLimits_areKept() {
    byte[] longest = new byte[LmdbLimits.KEY_BYTES_MAX];
    Arrays.fill(longest, (byte) 0xFF);
    byte[] large = new byte[LmdbLimits.VALUE_BYTES_MAX];
    Arrays.fill(large, (byte) 7);
    try (OrderedStore store = open()) {
      WriteBatch batch = new WriteBatch(1);
      batch.put(longest, large);
      batch.put(new byte[1], new byte[0]);

      store.write(batch);

      try (ReadView view = store.read()) {
        assertThat(view.get(longest)).isEqualTo(large);
        assertThat(view.get(new byte[1])).isEmpty();
      }
    }
  }

  @Test
  void write_beyondALimit_changesNothing() {
    try (OrderedStore store = open()) {
      List<WriteBatch> refused = new ArrayList<>();
      refused.add(batch(1, new byte[0], new byte[0]));
      refused.add(batch(1, new byte[LmdbLimits.KEY_BYTES_MAX + 1], new byte[0]));
      refused.add(batch(1, new byte[1], new byte[LmdbLimits.VALUE_BYTES_MAX + 1]));
      refused.add(batch(2, new byte[1], new byte[1]));
      WriteBatch tooMany = new WriteBatch(1);
      for (int i = 0; i <= LmdbLimits.BATCH_OPERATIONS_MAX; i++) {
        tooMany.delete(ByteBuffer.allocate(4).putInt(i).array());
      }
      refused.add(tooMany);

      for (WriteBatch batch : refused) {
        assertThatThrownBy(() -> store.write(batch)).isInstanceOf(IllegalArgumentException.class);
      }

      assertThat(store.lastCommit()).isZero();
      store.write(put(1, "a"));
    }
  }

  @Test
  void write_largestBatchAcrossTheWholeStore_isOneCommit() {
    try (OrderedStore store = open()) {
      int count = LmdbLimits.BATCH_OPERATIONS_MAX;
      for (int part = 0; part < 4; part++) {
        WriteBatch batch = new WriteBatch(part + 1);
        for (int i = 0; i < count; i++) {
          batch.put(scattered(part * count + i), new byte[100]);
        }
        store.write(batch);
      }
      WriteBatch everyFourth = new WriteBatch(5);
      for (int i = 0; i < count; i++) {
        everyFourth.delete(scattered(4 * i));
      }

      store.write(everyFourth);

      try (ReadView view = store.read()) {
        assertThat(count(view, new byte[0], scattered(-1))).isEqualTo(3 * count);
      }
    }
  }

  @Test
  void write_onAnotherThread_isRefused() {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));

      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> store.write(put(2, "b")));

      assertThatThrownBy(other::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IllegalStateException.class);
      store.write(put(2, "b"));
    }
  }

  @Test
  void writeAndClose_threadIsInterrupted_work(@TempDir Path copy) {
    OrderedStore store = open();
    Thread.currentThread().interrupt();
    store.write(put(1, "a"));
    store.sync();
    store.backupTo(copy);
    store.write(put(2, "b"));
    store.close();
    assertThat(Thread.interrupted()).isTrue();

    try (OrderedStore again = open()) {
      assertThat(again.lastCommit()).isEqualTo(2);
    }
  }

  @Test
  void read_viewsThatWereClosed_keepNoPagesOfThePast() throws IOException {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
      ReadView one = store.read();
      ReadView other = store.read();
      assertThat(one.commit() + other.commit()).isEqualTo(2);
      one.close();
      other.close();

      for (int number = 2; number <= 200; number++) {
        store.write(batch(number, bytes("b"), new byte[100_000]));
      }
    }

    assertThat(Files.size(folder.resolve(DataFile.FILE_NAME))).isLessThan(2_000_000);
  }

  @Test
  void scan_bounds_areExact() {
    try (OrderedStore store = open()) {
      WriteBatch batch = new WriteBatch(1);
      byte[] longest = new byte[LmdbLimits.KEY_BYTES_MAX];
      for (byte[] key :
          List.of(new byte[] {0}, new byte[] {1}, longest, new byte[] {(byte) 0x80})) {
        batch.put(key, new byte[1]);
      }
      store.write(batch);

      try (ReadView view = store.read()) {
        assertThat(count(view, new byte[0], new byte[0])).isZero();
        assertThat(count(view, new byte[0], new byte[] {0})).isZero();
        assertThat(count(view, new byte[] {0}, new byte[] {1})).isEqualTo(2);
        assertThat(count(view, longest, new byte[] {1})).isEqualTo(1);
        assertThat(count(view, new byte[LmdbLimits.KEY_BYTES_MAX + 1], END)).isEqualTo(2);
        assertThat(count(view, new byte[] {2}, new byte[] {(byte) 0x80})).isZero();
        assertThat(count(view, new byte[] {2}, END)).isEqualTo(1);
        assertThatThrownBy(() -> count(view, END, new byte[0]))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void scan_visitorThatReadsTheView_isServed() {
    try (OrderedStore store = open()) {
      WriteBatch batch = new WriteBatch(1);
      for (byte i = 0; i < 10; i++) {
        batch.put(new byte[] {i}, new byte[] {i});
      }
      store.write(batch);

      try (ReadView view = store.read()) {
        int visited =
            view.scan(
                new byte[0],
                END,
                100,
                (key, value) -> {
                  assertThat(view.get(key)).isEqualTo(value);
                  assertThat(count(view, key, END)).isEqualTo(10 - key[0]);
                  return true;
                });
        assertThat(visited).isEqualTo(10);
      }
    }
  }

  @Test
  void close_whileOthersReadAndWrite_endsThemCleanly() throws Exception {
    for (int round = 0; round < 10; round++) {
      OrderedStore store = open();
      ExecutorService threads = Executors.newFixedThreadPool(4);
      CountDownLatch underWay = new CountDownLatch(4);
      List<Future<?>> ends = new ArrayList<>();
      ends.add(
          threads.submit(
              () -> {
                while (true) {
                  store.write(put(store.lastCommit() + 1, "a"));
                  underWay.countDown();
                }
              }));
      for (int i = 0; i < 3; i++) {
        ends.add(
            threads.submit(
                () -> {
                  while (true) {
                    try (ReadView view = store.read()) {
                      view.get(bytes("a"));
                      count(view, new byte[0], END);
                    }
                    underWay.countDown();
                  }
                }));
      }
      underWay.await();

      store.close();

      for (Future<?> end : ends) {
        assertThatThrownBy(end::get).hasCauseInstanceOf(StoreClosedException.class);
      }
      threads.shutdown();
    }
  }

  @Test
  void open_fails_leavesTheFolderFree() throws IOException {
    open().close();
    byte[] sound = Files.readAllBytes(folder.resolve(DataFile.FILE_NAME));
    byte[] damaged = sound.clone();
    Arrays.fill(damaged, 0, 200, (byte) 0x55);
    Files.write(folder.resolve(DataFile.FILE_NAME), damaged);

    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining("meta page");
    }

    Files.write(folder.resolve(DataFile.FILE_NAME), sound);
    open().close();
  }

  @Test
  void open_killedWhileBeingCreated_beginsAgain() throws IOException {
    open().close();
    // What is there before the first epoch was synced: no watermark yet, and a data file of zeros.
    try (var folderFiles =
        StoreFolder.open(
            StoreOptions.of(folder.resolve("new")), LmdbLimits.NAME, LoggedStore.PLAIN_FORMAT)) {
      Files.write(folderFiles.path().resolve(DataFile.FILE_NAME), new byte[16_384]);
    }

    try (OrderedStore store = factory().open(StoreOptions.of(folder.resolve("new")))) {
      assertThat(store.epoch()).isEqualTo(1);
    }
  }

  @Test
  void open_olderCopyOfTheDataFile_isToldAndTheEpochStillRises() throws IOException {
    open().close();
    byte[] old = Files.readAllBytes(folder.resolve(DataFile.FILE_NAME));
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
    }
    Files.write(folder.resolve(DataFile.FILE_NAME), old);

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("held epoch=1, held commit=0, durable epoch=2, durable commit=1");

    StoreOptions accepting = StoreOptions.of(folder).lostCommits(StoreOptions.LostCommits.ACCEPT);
    try (OrderedStore store = factory().open(accepting)) {
      assertThat(store.epoch()).isEqualTo(3);
    }
    open().close();
  }

  OrderedStore open() {
    return factory().open(StoreOptions.of(folder));
  }

  private static int count(ReadView view, byte[] start, byte[] end) {
    return view.scan(start, end, Integer.MAX_VALUE, (key, value) -> true);
  }

  private static byte[] scattered(int number) {
    return ByteBuffer.allocate(8).putInt(Integer.reverse(number)).putInt(number).array();
  }

  static WriteBatch put(long number, String key) {
    return batch(number, bytes(key), bytes("v"));
  }

  private static WriteBatch batch(long number, byte[] key, byte[] value) {
    WriteBatch batch = new WriteBatch(number);
    batch.put(key, value);
    return batch;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
