package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.store.rocksdb.Settings.Logs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What RocksDB does on threads of its own: that it failed is told, and what it takes is known. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Tag("slow")
class BackgroundFailureTest {

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int TABLE_NUMBER_MAX = 200;
  private static final long MEMTABLE_BYTES = 64L << 10;
  private static final int TABLE_COUNT = 12;

  @TempDir Path folder;

  @Test
  void write_tableCannotBeWritten_isToldAndNothingIsPrinted() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (RocksStore store = openSmall()) {
      takeAllTableNames();

      assertThatThrownBy(
              () -> {
                while (true) {
                  store.write(rows(store.lastCommit() + 1));
                }
              })
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining(".sst");
    } finally {
      System.setErr(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("Exception");
  }

  @Test
  void settle_tableCouldNotBeWritten_isToldThoughNobodyWrites() throws IOException {
    try (RocksStore store = openSmall()) {
      takeAllTableNames();
      while (LogFiles.in(data()).size() < 2) {
        store.write(rows(store.lastCommit() + 1));
      }

      assertThatThrownBy(
              () -> {
                long beganNs = System.nanoTime();
                while (System.nanoTime() - beganNs < PATIENCE_NS) {
                  store.settle();
                }
              })
          .isInstanceOf(StoreFailedException.class)
          .hasMessageStartingWith("background work failed")
          .hasMessageContaining(".sst");
      assertThatThrownBy(() -> store.write(rows(store.lastCommit() + 1)))
          .isInstanceOf(StoreFailedException.class);
    }
  }

  @Test
  void newestTableBytes_compactionsHaveFallenBehind_isAllThatOneWouldRead()
      throws IOException, RocksDBException {
    try (Settings settings =
            new Settings(Access.READ_WRITE, Logs.ANY, MEMTABLE_BYTES, new DatabaseLog());
        RocksDB database =
            RocksDB.open(settings.options.setDisableAutoCompactions(true), folder.toString())) {
      for (int i = 1; tableCount(folder) < TABLE_COUNT; i++) {
        try (org.rocksdb.WriteBatch batch = new org.rocksdb.WriteBatch(BatchBytes.of(rows(i), 1))) {
          database.write(settings.synced, batch);
        }
      }
    }

    try (Database database = Database.open(folder, MEMTABLE_BYTES, Access.READ_ONLY, Logs.ANY)) {
      assertThat(database.newestTableBytes())
          .isEqualTo(database.tableBytes())
          .isGreaterThan(RocksLimits.compactionBytesMax(MEMTABLE_BYTES));
    }
  }

  private RocksStore openSmall() {
    return RocksPlainFactory.openStore(StoreOptions.of(folder).storeBytesMax(1 << 20));
  }

  private Path data() {
    return folder.resolve(DatabaseFolder.DATA_FOLDER);
  }

  /** Puts a folder wherever RocksDB will want to begin a table; its logs are not in the way. */
  private void takeAllTableNames() throws IOException {
    for (int number = 1; number <= TABLE_NUMBER_MAX; number++) {
      Files.createDirectories(data().resolve("%06d.sst".formatted(number)));
    }
  }

  private static long tableCount(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".sst")).count();
    }
  }

  private static WriteBatch rows(long number) {
    WriteBatch batch = new WriteBatch(number);
    for (int i = 0; i < 20; i++) {
      batch.put(ByteBuffer.allocate(9).putLong(number).put((byte) i).array(), new byte[1_000]);
    }
    return batch;
  }
}
