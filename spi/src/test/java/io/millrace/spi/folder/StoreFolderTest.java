package io.millrace.spi.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFolderTest {

  private static final String STORE = "test";
  private static final int SLOT_OFFSET_BYTES = 4_096;

  @TempDir Path parent;

  @Test
  void open_folderMissing_createsItForItsOwnerAlone() throws IOException {
    Path path = parent.resolve("a/b/store");

    try (StoreFolder folder = open(path)) {
      assertThat(folder.path()).isEqualTo(path);
      assertThat(folder.storeId()).matches("[0-9a-f]{32}");
      assertThat(folder.watermark()).isEqualTo(Watermark.NONE);
    }

    assertThat(mode(path)).isEqualTo("rwx------");
    assertThat(names(path)).containsExactlyInAnyOrder("LOCK", "OWNER", "MILLRACE", "WATERMARK");
    for (String name : names(path)) {
      assertThat(mode(path.resolve(name))).as(name).isEqualTo("rw-------");
    }
  }

  @Test
  void open_again_isTheSameStore() {
    String id;
    try (StoreFolder folder = open(store())) {
      id = folder.storeId();
      folder.advance(new Watermark(1, 7));
      folder.advance(new Watermark(1, 9));
    }

    try (StoreFolder folder = open(store())) {
      assertThat(folder.storeId()).isEqualTo(id);
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 9));
    }
  }

  @Test
  void setFormat_newer_keepsOutWhoDoesNotKnowIt() throws IOException {
    String id;
    try (StoreFolder folder = open(store())) {
      id = folder.storeId();
      folder.advance(new Watermark(1, 7));
      folder.setFormat(3);
    }

    assertThatThrownBy(() -> StoreFolder.open(StoreOptions.of(store()), STORE, 2))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("format=3")
        .hasMessageContaining("newest known=2");
    byte[] header = Files.readAllBytes(store().resolve("MILLRACE"));
    try (StoreFolder folder = StoreFolder.open(StoreOptions.of(store()), STORE, 3)) {
      assertThat(folder.storeId()).isEqualTo(id);
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 7));
      folder.setFormat(3);
      assertThat(store().resolve("MILLRACE")).hasBinaryContent(header);
      folder.setFormat(2);
    }
    try (StoreFolder folder = StoreFolder.open(StoreOptions.of(store()), STORE, 2)) {
      assertThat(folder.storeId()).isEqualTo(id);
    }
  }

  @Test
  void guard_ofAFile_isHeldAsLongAsTheFolder() throws IOException {
    Path file = store().resolve("guard");
    StoreFolder folder = open(store());
    folder.guard(file);
    assertThat(mode(file)).isEqualTo("rw-------");

    assertThatThrownBy(() -> FileGuard.take(file, Access.READ_WRITE))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> FileGuard.take(file, Access.READ_ONLY))
        .isInstanceOf(StoreLockedException.class);
    folder.close();

    FileGuard.take(file, Access.READ_WRITE).close();
  }

  @Test
  void guard_toReadOnly_sharesTheFileAndCreatesNone() throws IOException {
    open(store()).close();
    Path file = store().resolve("guard");
    StoreOptions reading = StoreOptions.of(store()).access(Access.READ_ONLY);
    try (StoreFolder folder = StoreFolder.open(reading, STORE, 1)) {
      folder.guard(file);
      assertThat(file).doesNotExist();
    }
    Files.createFile(file);
    try (StoreFolder folder = StoreFolder.open(reading, STORE, 1)) {
      folder.guard(file);

      assertThatThrownBy(() -> FileGuard.take(file, Access.READ_WRITE))
          .isInstanceOf(StoreLockedException.class);
    }
  }

  @Test
  void open_heldByThisProcess_isRefusedAndTheHolderKeepsIt() throws IOException {
    try (StoreFolder folder = open(store())) {
      Path alias = Files.createSymbolicLink(parent.resolve("alias"), folder.path());

      for (Path path : List.of(store(), alias)) {
        assertThatThrownBy(() -> open(path))
            .isInstanceOf(StoreLockedException.class)
            .hasMessageContaining("in this process")
            .hasMessageContaining("pid=" + ProcessHandle.current().pid());
      }
      assertThat(hold(store()).exitValue()).isNotZero();
    }
    open(store()).close();
  }

  @Test
  void open_heldByAnotherProcess_isRefusedWithItsPidUntilItDies() throws IOException {
    Process holder = hold(store());
    assertThat(holder.isAlive()).isTrue();

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> open(store()))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("another process")
          .hasMessageContaining("pid=" + holder.pid());
    }

    holder.destroyForcibly();
    join(holder);
    open(store()).close();
  }

  @Tag("slow")
  @Test
  void open_pidIsThatOfAHolderBefore_isNotTold() throws IOException {
    open(store()).close();
    assertThat(store().resolve("LOCK")).isEmptyFile();
    Process holder = hold(store());
    Files.writeString(store().resolve("LOCK"), "");

    assertThatThrownBy(() -> open(store()))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageEndingWith("pid=unknown");

    Files.writeString(store().resolve("LOCK"), holder.pid() + "\n");
    assertThatThrownBy(() -> open(store()))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageEndingWith("pid=" + holder.pid());
    holder.destroyForcibly();
    join(holder);
  }

  @Test
  void checkOwned_lockFileIsRemovedOrReplaced_isTold() throws IOException {
    try (StoreFolder folder = open(store())) {
      folder.checkOwned();
      Path lock = store().resolve("LOCK");
      byte[] text = Files.readAllBytes(lock);

      Files.delete(lock);
      assertThatThrownBy(folder::checkOwned)
          .isInstanceOf(StoreFencedException.class)
          .hasMessageContaining(store().toString());
      Files.write(lock, text);
      assertThatThrownBy(folder::checkOwned).isInstanceOf(StoreFencedException.class);
    }
  }

  @Test
  void open_pathIsAFile_isRefused() throws IOException {
    Path file = Files.createFile(store());

    assertThatThrownBy(() -> open(file))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("not a folder")
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> open(file.resolve("below")))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void open_readOnly_needsAStore() throws IOException {
    assertThatThrownBy(() -> openReadOnly(store()))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("does not exist");
    assertThat(store()).doesNotExist();

    Files.createDirectory(store());
    assertThatThrownBy(() -> openReadOnly(store()))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("no store");
    assertThat(names(store())).isEmpty();
  }

  @Test
  void open_readOnly_leavesTheWatermark() {
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(1, 7));
    }

    try (StoreFolder folder = openReadOnly(store())) {
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 7));
      folder.advance(new Watermark(1, 8));
    }

    try (StoreFolder folder = open(store())) {
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 7));
    }
  }

  @Test
  void open_foreignFolder_isRefusedUntouched() throws IOException {
    Files.createDirectory(store());
    Files.writeString(store().resolve("precious.txt"), "mine");

    assertThatThrownBy(() -> open(store()))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("precious.txt");
    assertThat(names(store())).containsExactly("precious.txt");
  }

  @Test
  void open_creationWasCutShort_isFinished() throws IOException {
    Files.createDirectory(store());
    for (String name : List.of("LOCK", "OWNER", "WATERMARK", "MILLRACE.tmp")) {
      Files.writeString(store().resolve(name), "torn");
    }

    try (StoreFolder folder = open(store())) {
      assertThat(folder.watermark()).isEqualTo(Watermark.NONE);
    }
  }

  @Test
  void open_anotherKindOfStoreOrNewer_isRefused() {
    open(store()).close();

    assertThatThrownBy(() -> StoreFolder.open(StoreOptions.of(store()), "other", 1))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("held=test")
        .hasMessageContaining("asked=other");
    assertThatThrownBy(() -> StoreFolder.open(StoreOptions.of(store()), STORE, 0))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("format=1")
        .hasMessageContaining("newest known=0");
    open(store()).close();
  }

  @Test
  void open_headerDamagedAnywhere_isRefused() throws IOException {
    open(store()).close();
    Path header = store().resolve("MILLRACE");
    byte[] whole = Files.readAllBytes(header);

    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 1;
      Files.write(header, damaged);
      assertThatThrownBy(() -> open(store()))
          .as("byte %d", i)
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining(header.toString());
    }

    Files.write(header, new byte[0]);
    assertThatThrownBy(() -> open(store())).isInstanceOf(StoreCorruptException.class);
    Files.write(header, whole);
    open(store()).close();
  }

  @Test
  void watermark_newestSlotTorn_isTheOneBefore() throws IOException {
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(1, 7));
      folder.advance(new Watermark(1, 8));
    }
    // The first slot written is slot 1, so the third is slot 1 again.
    damageWatermark(SLOT_OFFSET_BYTES);

    try (StoreFolder folder = open(store())) {
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 7));
      folder.advance(new Watermark(2, 7));
    }
    try (StoreFolder folder = open(store())) {
      assertThat(folder.watermark()).isEqualTo(new Watermark(2, 7));
    }
  }

  @Test
  void watermark_lost_isToldUnlessAccepted() throws IOException {
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(1, 7));
    }
    damageWatermark(0);
    damageWatermark(SLOT_OFFSET_BYTES);

    assertThatThrownBy(() -> open(store()))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("ACCEPT");

    StoreOptions accepting = StoreOptions.of(store()).lostCommits(LostCommits.ACCEPT);
    try (StoreFolder folder = StoreFolder.open(accepting, STORE, 1)) {
      assertThat(folder.watermark()).isNotEqualTo(Watermark.NONE);
    }
    open(store()).close();
  }

  @Test
  void watermark_lostAndAcceptedForReading_isNotMadeAnew() throws IOException {
    open(store()).close();
    Files.delete(store().resolve("WATERMARK"));
    StoreOptions reading =
        StoreOptions.of(store()).access(Access.READ_ONLY).lostCommits(LostCommits.ACCEPT);

    try (StoreFolder folder = StoreFolder.open(reading, STORE, 1)) {
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 0));
      folder.advance(new Watermark(2, 7));
    }

    assertThat(store().resolve("WATERMARK")).doesNotExist();
  }

  @Test
  void open_onlyTheWatermarkIsLeft_isToldUnlessAccepted() throws IOException {
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(1, 7));
    }
    Files.delete(store().resolve("MILLRACE"));

    assertThatThrownBy(() -> open(store()))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("ACCEPT");

    StoreOptions accepting = StoreOptions.of(store()).lostCommits(LostCommits.ACCEPT);
    try (StoreFolder folder = StoreFolder.open(accepting, STORE, 1)) {
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 7));
    }
  }

  @Test
  void advance_nothingNew_writesNothing() throws IOException {
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(1, 7));
      byte[] before = Files.readAllBytes(store().resolve("WATERMARK"));

      folder.advance(new Watermark(1, 7));

      assertThat(Files.readAllBytes(store().resolve("WATERMARK"))).isEqualTo(before);
    }
  }

  @Test
  void checkNothingLost_storeIsBehind_tellsBothNumbers() {
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(2, 7));

      folder.checkNothingLost(new Watermark(2, 7), LostCommits.REFUSE);
      folder.checkNothingLost(new Watermark(3, 1), LostCommits.REFUSE);
      folder.checkNothingLost(new Watermark(2, 6), LostCommits.ACCEPT);
      assertThatThrownBy(() -> folder.checkNothingLost(new Watermark(2, 6), LostCommits.REFUSE))
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining("held commit=6")
          .hasMessageContaining("durable commit=7")
          .hasMessageContaining("ACCEPT");
    }
  }

  @Test
  void openAndAdvance_threadIsInterrupted_workAndKeepTheInterrupt() {
    Thread.currentThread().interrupt();
    try (StoreFolder folder = open(store())) {
      folder.advance(new Watermark(1, 7));
      assertThat(folder.watermark()).isEqualTo(new Watermark(1, 7));
      assertThatThrownBy(() -> open(store())).isInstanceOf(StoreLockedException.class);
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void seal_copiedFiles_makeAStoreOfItsOwn() throws IOException {
    Path copy = StoreFolder.createEmpty(store());
    Files.writeString(copy.resolve("data"), "rows");
    assertThatThrownBy(() -> open(copy)).isInstanceOf(FormatVersionException.class);
    assertThatThrownBy(() -> StoreFolder.createEmpty(copy)).isInstanceOf(StoreException.class);

    String id = StoreFolder.seal(copy, STORE, 1, new Watermark(1_001, 7));

    try (StoreFolder folder = open(copy)) {
      assertThat(folder.storeId()).isEqualTo(id);
      assertThat(folder.watermark()).isEqualTo(new Watermark(1_001, 7));
    }
    assertThat(mode(copy.resolve("data"))).isEqualTo("rw-------");
  }

  @Test
  void createEmpty_neverSealed_isRefusedByNameEvenWithoutFiles() throws IOException {
    Path copy = StoreFolder.createEmpty(store());

    assertThatThrownBy(() -> open(copy))
        .isInstanceOf(FormatVersionException.class)
        .hasMessage(
            "folder holds a copy that was not finished; remove the folder and copy again: folder="
                + copy);
    assertThatThrownBy(() -> StoreFolder.createEmpty(copy))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("not finished");
    StoreFolder.clear(copy);
    assertThat(names(copy)).isEmpty();
  }

  @Test
  void createEmpty_ofAFile_isRefused() throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "text");

    assertThatThrownBy(() -> StoreFolder.createEmpty(file))
        .isInstanceOf(StoreException.class)
        .hasMessage("folder for a copy is not a folder: folder=" + file);
    assertThat(file).hasContent("text");
  }

  private Path store() {
    return parent.resolve("store");
  }

  private static StoreFolder open(Path path) {
    return StoreFolder.open(StoreOptions.of(path), STORE, 1);
  }

  private static StoreFolder openReadOnly(Path path) {
    return StoreFolder.open(StoreOptions.of(path).access(Access.READ_ONLY), STORE, 1);
  }

  private void damageWatermark(int slotOffset) throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(store().resolve("WATERMARK").toFile(), "rw")) {
      file.seek(slotOffset + 8L);
      file.write(0x55);
    }
  }

  /** Starts a process that opens the folder, and waits until it holds it or gave up. */
  private static Process hold(Path path) throws IOException {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")
                    + File.pathSeparator
                    + System.getProperty("jdk.module.path", ""),
                FolderHolder.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (holder.inputReader().readLine() == null) {
      join(holder);
    }
    return holder;
  }

  private static void join(Process process) {
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private static List<String> names(Path path) throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
