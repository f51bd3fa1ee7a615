package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.LoggedStore;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import io.millrace.spi.testkit.fault.History;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Files that are gone or cut off, where the newest commit is still there to be read and what lies
 * before it is not.
 */
@Tag("slow")
class LostFilesTest {

  private static final int BATCH_COUNT = 60;
  private static final long MEMTABLE_BYTES = 64 << 10;

  @TempDir Path folder;

  @Test
  void open_earlierOfTwoLogsIsGone_isToldAndAcceptedWithoutTheLater() throws Exception {
    long newest = fillTwoLogs();
    List<Path> logs = LogFiles.in(data());
    assertThat(logs).hasSize(2);
    try (OrderedStore store = open(Access.READ_ONLY, LostCommits.REFUSE)) {
      assertThat(store.lastCommit()).isEqualTo(newest);
      History.verify(store);
    }

    Files.delete(logs.get(0));

    for (Access access : Access.values()) {
      assertThatThrownBy(() -> open(access, LostCommits.REFUSE))
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining("durable commit=" + newest);
    }
    try (OrderedStore store = open(Access.READ_WRITE, LostCommits.ACCEPT)) {
      assertThat(store.lastCommit()).isZero();
      History.verify(store);
    }
  }

  @Test
  void open_earlierOfTwoLogsIsCutOff_isToldAndAcceptedWithoutTheLater() throws Exception {
    fillTwoLogs();
    Path log = LogFiles.in(data()).get(0);
    long seed = Trials.seed();
    byte[] whole = Files.readAllBytes(log);

    Files.write(log, Arrays.copyOf(whole, new Random(seed).nextInt(whole.length)));

    assertThatThrownBy(() -> open(Access.READ_WRITE, LostCommits.REFUSE))
        .as("seed " + seed)
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("holds less than was once durable");
    try (OrderedStore store = open(Access.READ_WRITE, LostCommits.ACCEPT)) {
      History.verify(store);
    }
  }

  @Test
  void open_noLogIsLeft_isAcceptedAsTheTablesAreAndGoesOn() throws IOException {
    fillTables();
    for (Path log : LogFiles.in(data())) {
      Files.delete(log);
    }

    assertThatThrownBy(() -> open(Access.READ_WRITE, LostCommits.REFUSE))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("durable commit=" + 2 * BATCH_COUNT);
    try (OrderedStore store = open(Access.READ_WRITE, LostCommits.ACCEPT)) {
      assertThat(store.lastCommit()).isEqualTo(BATCH_COUNT);
      History.verify(store);
      store.write(History.batch(BATCH_COUNT + 1));
    }
    try (OrderedStore store = open(Access.READ_WRITE, LostCommits.REFUSE)) {
      assertThat(store.lastCommit()).isEqualTo(BATCH_COUNT + 1);
      History.verify(store);
    }
  }

  @Test
  void open_namesOfTablesAreGone_isRefusedButToLookAt() throws IOException {
    fillTables();
    Path manifest = manifest();
    byte[] whole = Files.readAllBytes(manifest);
    int trials = Trials.count("cutManifests", 60, 150, 400);
    int wholeCount = 0;
    int gapCount = 0;
    for (int trial = 0; trial < trials; trial++) {
      int length = whole.length * trial / trials;
      Files.write(manifest, Arrays.copyOf(whole, length));
      String told = told();
      wholeCount += told.isEmpty() ? 1 : 0;
      if (told.contains("its log goes on from")) {
        gapCount++;
        assertThatThrownBy(() -> open(Access.READ_WRITE, LostCommits.ACCEPT))
            .isInstanceOf(StoreCorruptException.class)
            .hasMessage(told);
        open(Access.READ_ONLY, LostCommits.ACCEPT).close();
      }
    }

    assertThat(gapCount).as("ends at which only the numbers tell").isPositive();
    Files.write(manifest, whole);
    assertThat(told()).isEmpty();
    Trials.report(
        getClass(),
        trials
            + " cut manifests, "
            + wholeCount
            + " of them lost nothing, "
            + gapCount
            + " told by the gap, the others by RocksDB");
  }

  /** What a reader is told; nothing if all is there, to the last batch. */
  private String told() {
    try (OrderedStore store = open(Access.READ_ONLY, LostCommits.REFUSE)) {
      assertThat(store.lastCommit()).isEqualTo(2 * BATCH_COUNT);
      History.verify(store);
      return "";
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Some batches in tables, as many behind them in the log. */
  private void fillTables() throws IOException {
    for (int opening = 0; opening < 2; opening++) {
      try (OrderedStore store = open(Access.READ_WRITE, LostCommits.REFUSE)) {
        for (int i = 0; i < BATCH_COUNT; i++) {
          store.write(History.batch(store.lastCommit() + 1));
        }
      }
    }
    assertThat(LogFiles.firstNumber(data())).isPresent();
  }

  /**
   * A store as the death of its process leaves it while the first log is being sorted into a table:
   * answers its newest commit, which is durable.
   */
  private long fillTwoLogs() throws IOException, RocksDBException {
    open(Access.READ_WRITE, LostCommits.REFUSE).close();
    StoreOptions options = StoreOptions.of(folder.resolve("store"));
    Path copy = Files.createDirectory(folder.resolve("copy"));
    long commit = 0;
    try (Settings settings =
            new Settings(
                Access.READ_WRITE, Settings.Logs.CHAINED, MEMTABLE_BYTES, new DatabaseLog());
        // With more memtables than there are, or the last write would wait for the background work.
        RocksDB database =
            RocksDB.open(settings.options.setMaxWriteBufferNumber(4), data().toString())) {
      // The log of the opening before is removed beside this one.
      while (LogFiles.in(data()).size() > 1) {
        Thread.onSpinWait();
      }
      database.pauseBackgroundWork();
      for (int behind = 0; behind < 3; behind += LogFiles.in(data()).size() - 1) {
        commit++;
        try (org.rocksdb.WriteBatch batch =
            new org.rocksdb.WriteBatch(BatchBytes.of(History.batch(commit), 1))) {
          database.write(settings.synced, batch);
        }
      }
      copyFiles(data(), copy);
      database.continueBackgroundWork();
    }
    for (Path file : files(data())) {
      Files.delete(file);
    }
    copyFiles(copy, data());
    try (StoreFolder locked =
        StoreFolder.open(options, RocksLimits.NAME, LoggedStore.PLAIN_FORMAT)) {
      locked.advance(new Watermark(1, commit));
    }
    return commit;
  }

  private OrderedStore open(Access access, LostCommits lostCommits) {
    return new RocksPlainFactory()
        .open(StoreOptions.of(folder.resolve("store")).access(access).lostCommits(lostCommits));
  }

  private Path data() {
    return folder.resolve("store").resolve(DatabaseFolder.DATA_FOLDER);
  }

  private Path manifest() throws IOException {
    return files(data()).stream()
        .filter(file -> file.getFileName().toString().startsWith("MANIFEST-"))
        .findFirst()
        .orElseThrow();
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
