package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import io.millrace.spi.testkit.fault.History;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What LMDB and the log before it are to each other. */
@Tag("slow")
class LoggedLmdbTest {

  /** Nothing is folded by itself. */
  private static final MemtableOptions LAZY =
      MemtableOptions.standard().layerAge(Duration.ofDays(1));

  private static final String FOLD_THREAD = "millrace-fold";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Longer than a look is good for. */
  private static final Duration ABSENCE = Duration.ofMillis(500);

  @TempDir Path parent;
  private Path folder;
  private Path crashed;

  @BeforeEach
  void nameFolders() {
    folder = parent.resolve("store");
    crashed = parent.resolve("crashed");
  }

  @Test
  void open_storeOfBefore_goesOnWithALog() {
    try (OrderedStore plain = PlainLmdb.open(StoreOptions.of(folder))) {
      write(plain, 3);
    }

    String id;
    try (OrderedStore store = open(folder)) {
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isEqualTo(3);
      write(store, 2);
      History.verify(store);
      id = store.info().storeId();
    }

    assertThatThrownBy(
            () -> StoreFolder.open(StoreOptions.of(folder), LmdbLimits.NAME, Database.FORMAT))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("format=2")
        .hasMessageContaining("newest known=1");
    try (OrderedStore again = open(folder)) {
      assertThat(again.info().storeId()).isEqualTo(id);
      assertThat(again.lastCommit()).isEqualTo(5);
      History.verify(again);
    }
  }

  @Test
  void open_withoutALog_takesOverWhatItHasAndTakesItAway() throws IOException {
    crash(25);
    StoreFactory factory = new LmdbStoreFactory();
    StoreOptions withoutLog = StoreOptions.of(crashed + "?log=none");

    try (OrderedStore reading = factory.open(withoutLog.access(Access.READ_ONLY))) {
      assertThat(reading.lastCommit()).isEqualTo(25);
      History.verify(reading);
    }
    try (OrderedStore store = factory.open(withoutLog)) {
      assertThat(store.info().folder()).contains(crashed.toAbsolutePath());
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isEqualTo(25);
      assertThat(store.syncedCommit()).isEqualTo(25);
      assertThat(names(crashed.resolve(LoggedLmdb.LOG_FOLDER))).containsExactly(LoggedLmdb.GUARD);
      write(store, 2);
      History.verify(store);
    }
    assertThat(heldByDatabase()).isEqualTo(new Watermark(2, 27));
    StoreFolder.open(StoreOptions.of(crashed), LmdbLimits.NAME, Database.FORMAT).close();

    try (OrderedStore store = factory.open(StoreOptions.of(crashed))) {
      assertThat(store.lastCommit()).isEqualTo(27);
      assertThat(names(crashed.resolve(LoggedLmdb.LOG_FOLDER))).contains("log-0");
      History.verify(store);
    }
  }

  @Test
  void open_withoutALogNew_hasNone() throws IOException {
    try (OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(folder + "?log=none"))) {
      write(store, 3);
    }

    assertThat(names(folder)).doesNotContain(LoggedLmdb.LOG_FOLDER);
    StoreFolder.open(StoreOptions.of(folder), LmdbLimits.NAME, Database.FORMAT).close();
  }

  @Test
  void open_newerFormat_isRefused() {
    StoreFolder.open(StoreOptions.of(folder), LmdbLimits.NAME, LoggedLmdb.FORMAT + 1).close();

    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("newest known=2");
  }

  @Test
  void open_killed_hasWhatOnlyTheLogHas() throws IOException {
    crash(25);

    assertThat(heldByDatabase()).isEqualTo(new Watermark(1, 0));
    try (OrderedStore store = open(crashed)) {
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isEqualTo(25);
      assertThat(store.syncedCommit()).isEqualTo(25);
      History.verify(store);
      write(store, 1);
    }
    assertThat(heldByDatabase()).isEqualTo(new Watermark(2, 26));
  }

  @Test
  void open_readOnly_showsTheLogAndWritesNothing() throws IOException {
    crash(25);
    Map<String, String> before = contents(crashed);

    StoreOptions reading = StoreOptions.of(crashed).access(Access.READ_ONLY);
    try (OrderedStore store = LoggedLmdb.open(reading, LAZY)) {
      assertThat(store.epoch()).isEqualTo(1);
      assertThat(store.lastCommit()).isEqualTo(25);
      assertThat(store.syncedCommit()).isEqualTo(25);
      History.verify(store);
      assertThatThrownBy(() -> store.write(History.batch(26)))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(store::sync).isInstanceOf(IllegalStateException.class);
      store.backupTo(parent.resolve("copy"));
    }

    assertThat(contents(crashed)).isEqualTo(before);
    try (OrderedStore copy = open(parent.resolve("copy"))) {
      assertThat(copy.lastCommit()).isEqualTo(25);
      assertThat(copy.epoch()).isEqualTo(1 + OrderedStore.COPY_EPOCH_STEP + 1);
      History.verify(copy);
    }
  }

  @Test
  void open_readOnlyStoreOfBefore_needsNoLog() throws IOException {
    try (OrderedStore plain = PlainLmdb.open(StoreOptions.of(folder))) {
      write(plain, 3);
    }
    Map<String, String> before = contents(folder);

    StoreOptions reading = StoreOptions.of(folder).access(Access.READ_ONLY);
    try (OrderedStore store = LoggedLmdb.open(reading, LAZY)) {
      assertThat(store.lastCommit()).isEqualTo(3);
      History.verify(store);
    }

    assertThat(contents(folder)).isEqualTo(before);
  }

  @Test
  void open_bitRotInTheLog_isToldUnlessAccepted() throws IOException {
    crash(25);
    spoil(crashed.resolve("log/log-0"), 200);

    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatThrownBy(() -> open(crashed))
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining("log-0")
          .hasMessageContaining("LostCommits.ACCEPT");
    }

    assertNobodyFolds();
    StoreOptions accepting = StoreOptions.of(crashed).lostCommits(LostCommits.ACCEPT);
    try (OrderedStore store = LoggedLmdb.open(accepting, LAZY)) {
      assertThat(store.lastCommit()).isLessThan(25);
      History.verify(store);
      write(store, 1);
    }
    open(crashed).close();
  }

  @Test
  void open_logIsGone_isToldByTheWatermark() throws IOException {
    crashOnceRemembered(25);
    remove(crashed.resolve(LoggedLmdb.LOG_FOLDER));

    assertThatThrownBy(() -> open(crashed))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("held epoch=1, held commit=0, durable epoch=1, durable commit=25");
  }

  @Test
  void open_logIsGoneAndAnOpeningDied_isToldAllTheSame() throws IOException {
    crashOnceRemembered(25);
    try (Opening died =
        Opening.begin(StoreOptions.of(crashed), LoggedLmdb.FORMAT, storeFolder -> {})) {
      assertThat(died.raiseEpoch(0)).isEqualTo(new Watermark(2, 0));
    }
    remove(crashed.resolve(LoggedLmdb.LOG_FOLDER));

    assertThatThrownBy(() -> open(crashed))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("durable epoch=1, durable commit=25");
  }

  @Test
  void open_openingDiedAfterItRaisedTheEpoch_goesOn() throws IOException {
    crashOnceRemembered(25);
    try (Opening died =
        Opening.begin(StoreOptions.of(crashed), LoggedLmdb.FORMAT, storeFolder -> {})) {
      assertThat(died.raiseEpoch(0)).isEqualTo(new Watermark(2, 0));
    }

    try (OrderedStore store = open(crashed)) {
      assertThat(store.epoch()).isEqualTo(3);
      assertThat(store.lastCommit()).isEqualTo(25);
      History.verify(store);
    }
  }

  @Test
  void open_otherOwnerWithoutTheFoldersLock_isRefused() throws IOException {
    open(folder).close();

    try (RandomAccessFile other = new RandomAccessFile(folder.resolve("log/LOCK").toFile(), "rw");
        FileLock held = other.getChannel().lock()) {
      assertThat(held.isValid()).isTrue();
      assertThatThrownBy(() -> open(folder))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(Path.of("log", "LOCK").toString());
      StoreOptions reading = StoreOptions.of(folder).access(Access.READ_ONLY);
      assertThatThrownBy(() -> LoggedLmdb.open(reading, LAZY))
          .isInstanceOf(StoreLockedException.class);
    }

    open(folder).close();
  }

  @Test
  void open_store_hasItsLogLockedUntilItIsClosed() throws IOException {
    OrderedStore store = open(folder);
    try (RandomAccessFile other = new RandomAccessFile(folder.resolve("log/LOCK").toFile(), "rw")) {
      assertThatThrownBy(() -> other.getChannel().tryLock())
          .isInstanceOf(OverlappingFileLockException.class);

      store.close();

      try (FileLock free = other.getChannel().tryLock()) {
        assertThat(free).isNotNull();
      }
    }
  }

  @Test
  void append_afterAnAbsence_looksBeforeItWrites() throws IOException {
    try (StoreFolder absent = StoreFolder.open(StoreOptions.of(folder), LmdbLimits.NAME, 1)) {
      Files.delete(folder.resolve("LOCK"));
      LockSupport.parkNanos(ABSENCE.toNanos());
      // Nothing can be appended to this log: it would say so.
      OwnedLog log = new OwnedLog(new ReadLog(0), absent);

      assertThatThrownBy(() -> log.append(History.batch(1)))
          .isInstanceOf(StoreFencedException.class);
    }
  }

  @Test
  void write_folderIsTakenAway_isFencedAndNothingMoreIsLogged() throws IOException {
    OrderedStore store = open(folder);
    write(store, 5);
    Files.delete(folder.resolve("LOCK"));
    Files.createFile(folder.resolve("LOCK"));
    Path log = folder.resolve("log/log-0");

    // Written without a look, as long as the last one is new.
    assertThatThrownBy(
            () -> {
              long end = System.nanoTime() + PATIENCE.toNanos();
              while (System.nanoTime() - end < 0) {
                write(store, 1);
              }
            })
        .isInstanceOf(StoreFencedException.class);
    byte[] logged = Files.readAllBytes(log);

    assertThatThrownBy(() -> write(store, 1)).isInstanceOf(StoreFencedException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoreFencedException.class);
    assertThatThrownBy(store::settle).isInstanceOf(StoreFencedException.class);
    assertThat(Files.readAllBytes(log)).isEqualTo(logged);
    byte[] watermark = Files.readAllBytes(folder.resolve("WATERMARK"));
    store.close();
    assertNobodyFolds();
    assertThat(Files.readAllBytes(log)).isEqualTo(logged);
    assertThat(folder.resolve("WATERMARK")).hasBinaryContent(watermark);
  }

  @Test
  void backupTo_rowsInTheLogOnly_isACopyWithoutALog() throws IOException {
    Path copy = parent.resolve("copy");
    try (OrderedStore store = open(folder)) {
      write(store, 25);
      store.backupTo(copy);
      write(store, 1);
    }

    assertThat(contents(copy).keySet()).containsExactly("MILLRACE", "WATERMARK", "data.mdb");
    try (OrderedStore plain = PlainLmdb.open(StoreOptions.of(copy))) {
      assertThat(plain.lastCommit()).isEqualTo(25);
      History.verify(plain);
    }
    try (OrderedStore logged = open(copy)) {
      assertThat(logged.lastCommit()).isEqualTo(25);
      History.verify(logged);
      write(logged, 1);
    }
  }

  @Test
  void close_foldsAndLeavesNoFileLongerThanNeedBe() throws IOException {
    try (OrderedStore store = open(folder)) {
      write(store, 25);
      assertThat(store.info().folder()).contains(folder);
      assertThat(store.usedBytes()).isEmpty();
    }

    crashed = folder;
    assertThat(heldByDatabase()).isEqualTo(new Watermark(1, 25));
    assertThat(Files.size(folder.resolve(DataFile.FILE_NAME))).isEqualTo(DataFile.check(folder));
    assertNobodyFolds();
  }

  @Test
  void backupTo_readOnlyAndMoreInTheLogThanInTheDatabase_isACopy() throws IOException {
    try (OrderedStore store = open(folder)) {
      WriteBatch batch = new WriteBatch(1);
      for (int i = 0; i < 60; i++) {
        batch.put(new byte[] {2, (byte) i}, new byte[1 << 20]);
      }
      store.write(batch);
      copyTo(crashed);
    }

    StoreOptions reading = StoreOptions.of(crashed).access(Access.READ_ONLY);
    try (OrderedStore store = LoggedLmdb.open(reading, LAZY)) {
      store.backupTo(parent.resolve("copy"));
    }

    try (OrderedStore copy = open(parent.resolve("copy"));
        ReadView view = copy.read()) {
      assertThat(view.get(new byte[] {2, 59})).hasSize(1 << 20);
    }
  }

  private static OrderedStore open(Path folder) {
    return LoggedLmdb.open(StoreOptions.of(folder), LAZY);
  }

  private static void write(OrderedStore store, int count) {
    for (int i = 0; i < count; i++) {
      store.write(History.batch(store.lastCommit() + 1));
    }
  }

  /** Leaves a folder as of a process that was killed with all its batches in the log. */
  private void crash(int batchCount) throws IOException {
    try (OrderedStore store = open(folder)) {
      write(store, batchCount - 1);
      store.sync();
      write(store, 1);
      copyTo(crashed);
    }
  }

  /** As {@link #crash}, after the watermark says so. */
  private void crashOnceRemembered(int batchCount) throws IOException {
    try (OrderedStore store = open(folder)) {
      byte[] before = Files.readAllBytes(folder.resolve("WATERMARK"));
      write(store, batchCount);
      store.sync();
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (Arrays.equals(before, Files.readAllBytes(folder.resolve("WATERMARK")))) {
        assertThat(System.nanoTime() - end).isNegative();
        Thread.onSpinWait();
      }
      copyTo(crashed);
    }
  }

  private void copyTo(Path target) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path from : (Iterable<Path>) all::iterator) {
        String name = from.getFileName().toString();
        if (!name.equals("LOCK") && !name.equals("OWNER")) {
          Files.copy(from, target.resolve(folder.relativize(from).toString()));
        }
      }
    }
  }

  private Watermark heldByDatabase() {
    try (Opening opening =
        Opening.begin(
            StoreOptions.of(crashed).access(Access.READ_ONLY),
            LoggedLmdb.FORMAT,
            storeFolder -> {})) {
      return opening.held();
    }
  }

  /** Every file in hex, but for the folder's lock, its owner, and LMDB's own lock. */
  private static Map<String, String> contents(Path folder) throws IOException {
    List<String> locks = List.of("LOCK", "OWNER", DataFile.LOCK_FILE_NAME);
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        if (!locks.contains(folder.relativize(file).toString())) {
          contents.put(
              folder.relativize(file).toString(),
              HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
      }
    }
    return contents;
  }

  private static void spoil(Path file, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset] ^= 1;
    Files.write(file, bytes);
  }

  private static void remove(Path logFolder) throws IOException {
    try (Stream<Path> files = Files.list(logFolder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    Files.delete(logFolder);
  }

  private static void assertNobodyFolds() {
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain(FOLD_THREAD);
  }

  private static List<String> names(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
