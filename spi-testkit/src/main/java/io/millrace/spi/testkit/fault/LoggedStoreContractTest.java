package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import io.millrace.spi.testkit.PrivilegedCommand;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract between a database in a folder and the log before it. */
public abstract class LoggedStoreContractTest {

  private static final String FOLD_THREAD = "millrace-fold";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The formats of a folder without a log, and with one. */
  private static final int PLAIN_FORMAT = 1;

  private static final int LOG_FORMAT = 2;

  @TempDir Path parent;
  private Path folder;
  private Path crashed;

  /** Returns the factory of the stores. */
  protected abstract StoreFactory factory();

  /** Opens a store with a log from which nothing is folded by itself. */
  protected abstract OrderedStore openLazy(StoreOptions options);

  /** Returns what the database of a store that is closed holds. */
  protected abstract Watermark heldByDatabase(Path store);

  /** Begins an opening that dies after it raised the epoch; returns what the database holds. */
  protected abstract Watermark raiseEpoch(Path store);

  /** Tells whether a file in a store's folder has to do with what is stored. */
  protected boolean isContent(String file) {
    return !file.equals("OWNER") && !file.endsWith("LOCK");
  }

  private String name() {
    return factory().scheme();
  }

  @BeforeEach
  void nameFolders() {
    folder = parent.resolve("store");
    crashed = parent.resolve("crashed");
  }

  @Test
  void open_storeOfBefore_goesOnWithALog() {
    try (OrderedStore plain = openPlain(folder)) {
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

    assertThatThrownBy(() -> StoreFolder.open(StoreOptions.of(folder), name(), PLAIN_FORMAT))
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
  void open_storeOfBeforeAndNoRoomForALog_saysWhatHelps() throws Exception {
    try (OrderedStore plain = openPlain(folder)) {
      write(plain, 3);
    }
    Path log = Files.createDirectory(folder.resolve("log"));
    PrivilegedCommand.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", log.toString());
    try {
      assertThatThrownBy(() -> open(folder))
          .isInstanceOf(StoreFullException.class)
          .hasMessageStartingWith(
              "store's log has no room to begin; make room on the disk, or open the store without a"
                  + " log (log=none): reason=");
    } finally {
      PrivilegedCommand.run("umount", "--lazy", log.toString());
    }

    try (OrderedStore plain = openPlain(folder)) {
      assertThat(plain.lastCommit()).isEqualTo(3);
      write(plain, 1);
    }
  }

  @Test
  void open_withoutALog_takesOverWhatItHasAndTakesItAway() throws IOException {
    crash(25);
    StoreOptions withoutLog = StoreOptions.of(crashed + "?log=none");

    try (OrderedStore reading = factory().open(withoutLog.access(Access.READ_ONLY))) {
      assertThat(reading.lastCommit()).isEqualTo(25);
      History.verify(reading);
    }
    try (OrderedStore store = factory().open(withoutLog)) {
      assertThat(store.info().folder()).contains(crashed.toAbsolutePath());
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isEqualTo(25);
      assertThat(store.syncedCommit()).isEqualTo(25);
      assertThat(names(crashed.resolve("log"))).containsExactly("LOCK");
      write(store, 2);
      History.verify(store);
    }
    assertThat(heldByDatabase(crashed)).isEqualTo(new Watermark(2, 27));
    StoreFolder.open(StoreOptions.of(crashed), name(), PLAIN_FORMAT).close();

    try (OrderedStore store = factory().open(StoreOptions.of(crashed))) {
      assertThat(store.lastCommit()).isEqualTo(27);
      assertThat(names(crashed.resolve("log"))).contains("log-0");
      History.verify(store);
    }
  }

  @Test
  void open_withoutALogNew_hasNone() throws IOException {
    try (OrderedStore store = factory().open(StoreOptions.of(folder + "?log=none"))) {
      write(store, 3);
    }

    assertThat(names(folder)).doesNotContain("log");
    StoreFolder.open(StoreOptions.of(folder), name(), PLAIN_FORMAT).close();
  }

  @Test
  void open_newerFormat_isRefused() {
    StoreFolder.open(StoreOptions.of(folder), name(), LOG_FORMAT + 1).close();

    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("newest known=2");
  }

  @Test
  void open_killed_hasWhatOnlyTheLogHas() throws IOException {
    crash(25);

    assertThat(heldByDatabase(crashed)).isEqualTo(new Watermark(1, 0));
    try (OrderedStore store = open(crashed)) {
      assertThat(store.epoch()).isEqualTo(2);
      assertThat(store.lastCommit()).isEqualTo(25);
      assertThat(store.syncedCommit()).isEqualTo(25);
      History.verify(store);
      write(store, 1);
    }
    assertThat(heldByDatabase(crashed)).isEqualTo(new Watermark(2, 26));
  }

  @Test
  void open_readOnly_showsTheLogAndWritesNothing() throws IOException {
    crash(25);
    Map<String, String> before = contents(crashed);

    StoreOptions reading = StoreOptions.of(crashed).access(Access.READ_ONLY);
    try (OrderedStore store = openLazy(reading)) {
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
    try (OrderedStore plain = openPlain(folder)) {
      write(plain, 3);
    }
    Map<String, String> before = contents(folder);

    StoreOptions reading = StoreOptions.of(folder).access(Access.READ_ONLY);
    try (OrderedStore store = openLazy(reading)) {
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
    try (OrderedStore store = openLazy(accepting)) {
      assertThat(store.lastCommit()).isLessThan(25);
      History.verify(store);
      write(store, 1);
    }
    open(crashed).close();
  }

  @Test
  void open_logIsGone_isToldByTheWatermark() throws IOException {
    crashOnceRemembered(25);
    remove(crashed.resolve("log"));

    assertThatThrownBy(() -> open(crashed))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("held epoch=1, held commit=0, durable epoch=1, durable commit=25");
  }

  @Test
  void open_logIsGoneAndAnOpeningDied_isToldAllTheSame() throws IOException {
    crashOnceRemembered(25);
    assertThat(raiseEpoch(crashed)).isEqualTo(new Watermark(2, 0));
    remove(crashed.resolve("log"));

    assertThatThrownBy(() -> open(crashed))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("durable epoch=1, durable commit=25");
  }

  @Test
  void open_openingDiedAfterItRaisedTheEpoch_goesOn() throws IOException {
    crashOnceRemembered(25);
    assertThat(raiseEpoch(crashed)).isEqualTo(new Watermark(2, 0));

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
      assertThatThrownBy(() -> openLazy(reading)).isInstanceOf(StoreLockedException.class);
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

    assertThat(names(copy)).doesNotContain("log");
    try (OrderedStore plain = openPlain(copy)) {
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
    try (OrderedStore store = openLazy(reading)) {
      store.backupTo(parent.resolve("copy"));
    }

    try (OrderedStore copy = open(parent.resolve("copy"));
        ReadView view = copy.read()) {
      assertThat(view.get(new byte[] {2, 59})).hasSize(1 << 20);
    }
  }

  private OrderedStore open(Path store) {
    return openLazy(StoreOptions.of(store));
  }

  private OrderedStore openPlain(Path store) {
    return factory().open(StoreOptions.of(store + "?log=none"));
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

  /** Leaves a folder as {@link #crash} does, once the watermark tells of all batches. */
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

  /** Every file in hex, but for locks and the owner. */
  private Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        if (isContent(folder.relativize(file).toString())) {
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
