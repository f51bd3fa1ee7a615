package io.millrace.store.lmdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LmdbStoreTest {

  @TempDir Path folder;

  @Test
  void write_putAndDelete_isSeenByLaterViewsOnly() {
    try (OrderedStore store = open()) {
      ReadView before = store.read();
      WriteBatch batch = new WriteBatch(1);
      batch.put(bytes("a"), bytes("1"));
      batch.put(bytes("b"), new byte[0]);

      store.write(batch);

      assertThat(before.get(bytes("a"))).isNull();
      assertThat(before.commit()).isZero();
      before.close();
      try (ReadView after = store.read()) {
        assertThat(after.get(bytes("a"))).isEqualTo(bytes("1"));
        assertThat(after.get(bytes("b"))).isEmpty();
        assertThat(after.commit()).isEqualTo(1);
        assertThat(keys(after, "", "\u007f")).containsExactly("a", "b");
      }
    }
  }

  @Test
  void write_oneAfterTheOther_syncsTheOneBefore() {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
      assertThat(store.syncedCommit()).isZero();

      store.write(put(2, "b"));

      assertThat(store.syncedCommit()).isEqualTo(1);
      assertThat(store.lastCommit()).isEqualTo(2);
      store.sync();
      assertThat(store.syncedCommit()).isEqualTo(2);
    }
  }

  @Test
  void open_again_raisesEpochAndKeepsRows() {
    try (OrderedStore store = open()) {
      assertThat(store.epoch()).isEqualTo(1);
      store.write(put(1, "a"));
    }

    try (OrderedStore store = open()) {
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isEqualTo(1);
      assertThat(store.syncedCommit()).isEqualTo(1);
      store.write(put(2, "b"));
      try (ReadView view = store.read()) {
        assertThat(keys(view, "", "\u007f")).containsExactly("a", "b");
      }
    }
  }

  @Test
  void open_whileOpen_isRefused() {
    try (OrderedStore store = open()) {
      assertThat(store.lastCommit()).isZero();

      assertThatThrownBy(this::open)
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("pid=" + ProcessHandle.current().pid());
    }
  }

  @Test
  void open_readOnly_changesNothing() throws IOException {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
    }
    byte[] before = Files.readAllBytes(folder.resolve(DataFile.FILE_NAME));

    try (OrderedStore store = open(StoreOptions.of(folder).access(Access.READ_ONLY))) {
      assertThat(store.epoch()).isEqualTo(1);
      try (ReadView view = store.read()) {
        assertThat(view.get(bytes("a"))).isEqualTo(bytes("v"));
      }
      assertThatThrownBy(() -> store.write(put(2, "b"))).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(store::sync).isInstanceOf(IllegalStateException.class);
    }

    assertThat(Files.readAllBytes(folder.resolve(DataFile.FILE_NAME))).isEqualTo(before);
  }

  @Test
  void backupTo_whileOpen_isAStoreOfItsOwn(@TempDir Path elsewhere) {
    Path copy = elsewhere.resolve("copy");
    String id;
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
      store.backupTo(copy);
      store.write(put(2, "b"));
      id = store.info().storeId();
      assertThatThrownBy(() -> store.backupTo(copy)).isInstanceOf(StoreException.class);
    }

    try (OrderedStore store = open(StoreOptions.of(copy))) {
      assertThat(store.info().storeId()).isNotEqualTo(id);
      assertThat(store.epoch()).isEqualTo(1 + OrderedStore.COPY_EPOCH_STEP + 1);
      assertThat(store.lastCommit()).isEqualTo(1);
      try (ReadView view = store.read()) {
        assertThat(keys(view, "", "\u007f")).containsExactly("a");
      }
    }
  }

  @Test
  void open_dataFileDeleted_tellsTheLossUnlessAccepted() throws IOException {
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
    }
    Files.delete(folder.resolve(DataFile.FILE_NAME));

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("held commit=0")
        .hasMessageContaining("durable commit=1")
        .hasMessageContaining("ACCEPT");

    try (OrderedStore store = open(StoreOptions.of(folder).lostCommits(LostCommits.ACCEPT))) {
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isZero();
    }
  }

  @Test
  void open_dataFileCutOff_isRefused() throws IOException {
    try (OrderedStore store = open()) {
      WriteBatch batch = new WriteBatch(1);
      for (int i = 0; i < 1_000; i++) {
        batch.put(bytes("key" + i), new byte[100]);
      }
      store.write(batch);
    }
    try (RandomAccessFile file =
        new RandomAccessFile(folder.resolve(DataFile.FILE_NAME).toFile(), "rw")) {
      file.setLength(file.length() - 4_096);
    }

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("cut off");
  }

  @Test
  void close_withOpenView_leavesViewClosed() {
    OrderedStore store = open();
    store.write(put(1, "a"));
    ReadView view = store.read();

    store.close();

    assertThatThrownBy(() -> view.get(bytes("a"))).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(store::read).isInstanceOf(StoreClosedException.class);
    view.close();
    store.close();
  }

  @Test
  void close_readerCannotBeRenewed_closesTheStoreAllTheSame() throws IOException {
    OrderedStore store = open();
    store.write(put(1, "a"));
    store.read().close();
    loseReaderSlots();
    assertThatThrownBy(store::read)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("view cannot be opened");

    store.close();

    open().close();
  }

  @Test
  void close_callThatStaysInside_isWaitedForAndCloses() throws Exception {
    OrderedStore store = LmdbStoreFactory.openPlain(StoreOptions.of(folder), 1_000_000);
    store.write(put(1, "a"));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CompletableFuture<Integer> scan =
        CompletableFuture.supplyAsync(
            () -> {
              try (ReadView view = store.read()) {
                return view.scan(
                    new byte[0],
                    new byte[] {(byte) 0xFF},
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

  /** LMDB does not renew a reader whose slot does not bear the number of this process. */
  private void loseReaderSlots() throws IOException {
    int pid = Integer.reverseBytes((int) ProcessHandle.current().pid());
    try (RandomAccessFile lock = new RandomAccessFile(folder.resolve("lock.mdb").toFile(), "rw")) {
      for (long at = 0; at < lock.length(); at += Integer.BYTES) {
        lock.seek(at);
        if (lock.readInt() == pid) {
          lock.seek(at);
          lock.writeInt(0);
        }
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private OrderedStore open() {
    return open(StoreOptions.of(folder));
  }

  private static OrderedStore open(StoreOptions options) {
    return new LmdbPlainFactory().open(options);
  }

  private static WriteBatch put(long number, String key) {
    WriteBatch batch = new WriteBatch(number);
    batch.put(bytes(key), bytes("v"));
    return batch;
  }

  private static List<String> keys(ReadView view, String start, String end) {
    List<String> keys = new ArrayList<>();
    view.scan(
        bytes(start),
        bytes(end),
        1_000,
        (key, value) -> {
          keys.add(new String(key, UTF_8));
          return true;
        });
    return keys;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
