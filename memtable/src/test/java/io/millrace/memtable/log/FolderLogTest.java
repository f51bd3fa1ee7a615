package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that nothing happens to. */
class FolderLogTest {

  @TempDir Path outside;

  private LogRig rig() {
    return new LogRig(outside.resolve("log"));
  }

  @Test
  void read_folderThatIsNotThere_isEmptyAndChangesNothing() {
    LogRig.Read read = rig().read(7);

    assertThat(read.batches()).isEmpty();
    assertThat(read.last()).isEqualTo(7);
    assertThat(read.replay().lastEpoch()).isZero();
    assertThat(rig().folder()).doesNotExist();
  }

  @Test
  void append_thenRead_areTheSameBatches() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(3, 0)) {
      LogRig.append(log, 100);

      LogRig.Read read = rig.read(0);
      assertThat(read.batches()).isEqualTo(LogRig.texts(1, 100));
      assertThat(read.replay().lastEpoch()).isEqualTo(3);
      assertThat(rig.read(60).batches()).isEqualTo(LogRig.texts(61, 100));
      assertThat(rig.read(100).batches()).isEmpty();
    }
  }

  @Test
  void numbers_appendAndSync_tellWhatIsThereAndWhatIsDurable() {
    try (FolderLog log = rig().open(1, 5)) {
      assertThat(log.lastNumber()).isEqualTo(5);
      assertThat(log.syncedNumber()).isEqualTo(5);

      LogRig.append(log, 2);
      assertThat(log.lastNumber()).isEqualTo(7);
      assertThat(log.syncedNumber()).isEqualTo(5);

      log.sync();
      assertThat(log.syncedNumber()).isEqualTo(7);

      LogRig.append(log, 1);
      log.turn();
      assertThat(log.syncedNumber()).isEqualTo(8);
    }
  }

  @Test
  void partBytes_recordsOfTheNewestPart_areCounted() {
    try (FolderLog log = rig().open(1, 0)) {
      WriteBatch batch = LogRig.longBatch(1, 100);
      log.append(batch);
      assertThat(log.partBytes()).isEqualTo(LogRecord.lengthOf(batch)).isEqualTo(152);

      log.turn();
      assertThat(log.partBytes()).isZero();
    }
  }

  @Test
  void append_sums_areReadWithWhatTheyFollow() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      log.append(LogRig.batch(1));
      WriteBatch sum = LogRig.batch(7);
      sum.follow(1);
      log.append(sum);
      log.append(LogRig.batch(8));

      assertThat(log.lastNumber()).isEqualTo(8);
      assertThat(rig.read(0).batches())
          .containsExactly(
              LogRig.text(LogRig.batch(1)), LogRig.text(sum), LogRig.text(LogRig.batch(8)));
      assertThat(rig.read(7).batches()).hasSize(1);
    }
  }

  @Test
  void append_batchThatCannotBe_isRefusedAndTheLogGoesOn() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      WriteBatch longKey = new WriteBatch(1);
      longKey.put(new byte[70_000], new byte[0]);

      assertThatThrownBy(() -> log.append(LogRig.batch(2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("batch is out of order: number=2, previous=1, last=0");
      assertThatThrownBy(() -> log.append(longKey))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("key is too long for the log: bytes=70000, most=65535");

      LogRig.append(log, 2);
      assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, 2));
    }
  }

  @Test
  void turn_partsReleased_twoFilesAreWrittenOverInTurn() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      for (int round = 0; round < 10; round++) {
        LogRig.append(log, 30);
        log.turn();
        LogRig.append(log, 3);
        assertThat(rig.read(log.lastNumber() - 33).batches())
            .isEqualTo(LogRig.texts(log.lastNumber() - 32, log.lastNumber()));
        log.release(log.lastNumber() - 3);
        assertThat(rig.read(log.lastNumber() - 3).batches()).hasSize(3);
      }

      assertThat(Files.readAllBytes(rig.file(2))).containsOnly(0);
      assertThat(rig.contents()).hasSize(3);
    }
  }

  @Test
  void turn_nothingReleased_takesMoreFilesAndKeepsAll() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      for (int i = 0; i < 4; i++) {
        LogRig.append(log, 10);
        log.turn();
        log.release(9);
      }

      assertThat(rig.file(4)).exists();
      assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, 40));
    }
  }

  @Test
  void release_partOfAPartOrTheNewest_keepsIt() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 10);
      log.turn();
      LogRig.append(log, 10);

      log.release(9);
      log.turn();
      LogRig.append(log, 10);
      assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, 30));

      log.release(30);
      log.release(5);
      log.turn();
      log.turn();
      assertThat(rig.read(20).batches()).isEqualTo(LogRig.texts(21, 30));
      assertThat(rig.contents()).hasSize(3);
    }
  }

  @Test
  void open_batchesThatAreNotReleased_areKeptAndNeverWrittenTo() throws IOException {
    LogRig rig = rig();
    long last = 0;
    for (int epoch = 1; epoch <= 4; epoch++) {
      try (FolderLog log = rig.open(epoch, 0)) {
        assertThat(log.lastNumber()).isEqualTo(last);
        assertThat(log.syncedNumber()).isEqualTo(last);
        Map<String, byte[]> before = rig.contents();
        LogRig.append(log, 7);
        last += 7;

        assertThat(changed(before, rig.contents())).hasSize(1);
        assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, last));
      }
    }
    try (FolderLog log = rig.open(5, 0)) {
      assertThat(rig.contents().values()).hasSize(5).noneMatch(bytes -> bytes.length == 0);
      log.release(last);
      assertThat(rig.contents().values()).filteredOn(bytes -> bytes.length == 0).hasSize(2);
      LogRig.append(log, 1);
      log.turn();
      log.turn();
      assertThat(rig.contents().values()).filteredOn(bytes -> bytes.length == 0).hasSize(2);
      assertThat(rig.read(last).batches()).isEqualTo(LogRig.texts(last + 1, last + 1));
    }
  }

  @Test
  void open_epochBeforeThatOfTheLog_isRefused() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(4, 0)) {
      LogRig.append(log, 1);
    }

    assertThatThrownBy(() -> rig.open(3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("epoch is before that of the log: value=3, least=4");
  }

  @Test
  void append_batchesOutgrowTheFile_itGrowsInSteps() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      List<Long> lengths = new ArrayList<>();
      while (log.partBytes() < 100_000) {
        log.append(LogRig.longBatch(log.lastNumber() + 1, 1_000));
        long length = Files.size(rig.file(0));
        if (lengths.isEmpty() || lengths.get(lengths.size() - 1) != length) {
          lengths.add(length);
        }
      }

      assertThat(lengths)
          .containsExactly(
              4_096L, 8_192L, 16_384L, 32_768L, 49_152L, 65_536L, 81_920L, 98_304L, 114_688L);
      assertThat(rig.read(0).last()).isEqualTo(log.lastNumber());
    }
  }

  @Test
  void append_hugeThenSmall_bothAreReadAndTheFileIsCutWhenItIsUsedAgain() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      WriteBatch huge = LogRig.longBatch(1, 1_000_000);
      log.append(huge);
      log.append(LogRig.batch(2));
      log.sync();
      assertThat(rig.read(0).batches())
          .containsExactly(LogRig.text(huge), LogRig.text(LogRig.batch(2)));

      log.turn();
      log.release(2);
      assertThat(Files.size(rig.file(0))).isGreaterThan(1_000_000);
      log.turn();
      assertThat(Files.size(rig.file(0))).isEqualTo(LogRig.SIZES.keptMost());
      LogRig.append(log, 1);
      assertThat(rig.read(2).batches()).isEqualTo(LogRig.texts(3, 3));
    }
  }

  @Test
  void append_recordsEndAtEachPlaceOfAPiece_areRead() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      List<String> expected = new ArrayList<>();
      for (int i = 1; i <= 64; i++) {
        WriteBatch batch = LogRig.longBatch(i, 65_536 - 80 + i);
        batch.delete(new byte[] {2});
        log.append(batch);
        expected.add(LogRig.text(batch));
      }

      assertThat(rig.read(0).batches()).isEqualTo(expected);
    }
  }

  @Test
  void interrupt_ofTheCaller_closesNothingAndIsKept() {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      Thread.currentThread().interrupt();
      LogRig.appendAndSync(log, 3);
      log.append(LogRig.longBatch(4, 100_000));
      log.turn();
      LogRig.appendAndSync(log, 1);

      assertThat(Thread.interrupted()).isTrue();
      assertThat(rig.read(4).batches()).isEqualTo(LogRig.texts(5, 5));
      assertThat(log.syncedNumber()).isEqualTo(5);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void interrupts_whileItFlushes_closeNothing() {
    LogRig rig = rig();
    Thread writer = Thread.currentThread();
    AtomicBoolean isDone = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!isDone.get()) {
                writer.interrupt();
              }
            });
    try (FolderLog log = rig.open(1, 0)) {
      other.start();
      for (int i = 0; i < 10; i++) {
        LogRig.appendAndSync(log, 5);
        log.turn();
        log.release(log.lastNumber());
      }
      LogRig.append(log, 5);

      assertThat(rig.read(50).batches()).isEqualTo(LogRig.texts(51, 55));
    } finally {
      isDone.set(true);
      Thread.interrupted();
      joinWhatever(other);
    }
  }

  private static void joinWhatever(Thread other) {
    while (other.isAlive()) {
      try {
        other.join();
      } catch (InterruptedException e) {
        // One of those that it sent.
        continue;
      }
    }
    Thread.interrupted();
  }

  @Test
  void close_unsyncedBatches_makesThemDurableAndTakesNoMore() {
    LogRig rig = rig();
    FolderLog log = rig.open(1, 0);
    LogRig.append(log, 3);

    log.close();
    log.close();

    assertThat(log.syncedNumber()).isEqualTo(3);
    assertThatThrownBy(() -> LogRig.append(log, 1))
        .isInstanceOf(StoreClosedException.class)
        .hasMessage("log is closed: folder=" + rig.folder());
    assertThatThrownBy(log::sync).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(log::turn).isInstanceOf(StoreClosedException.class);
    assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, 3));
  }

  @Test
  void files_ofALog_areForTheOwnerAlone() throws IOException {
    LogRig rig = rig();
    rig.open(1, 0).close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rig.folder())))
        .isEqualTo("rwx------");
    for (int i = 0; i < 3; i++) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rig.file(i))))
          .isEqualTo("rw-------");
      assertThat(Files.size(rig.file(i))).isEqualTo(LogRig.SIZES.least());
    }
  }

  @Test
  void begin_standardSizes_putsAMebibyteByForEachOfThreeFiles() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = FolderLog.begin(rig.read(0).replay(), 1)) {
      LogRig.append(log, 10);
    }

    for (int i = 0; i < 3; i++) {
      assertThat(Files.size(rig.file(i))).isEqualTo(1 << 20);
    }
    assertThat(rig.read(0, 10, LostCommits.REFUSE).batches()).isEqualTo(LogRig.texts(1, 10));
  }

  private static List<String> changed(Map<String, byte[]> before, Map<String, byte[]> after) {
    List<String> changed = new ArrayList<>();
    after.forEach(
        (name, bytes) -> {
          if (!Arrays.equals(bytes, before.get(name))) {
            changed.add(name);
          }
        });
    return changed;
  }
}
