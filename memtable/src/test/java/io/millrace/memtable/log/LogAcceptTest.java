package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.StoreOptions.LostCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Losses that the operator accepts, and ends that were torn: what was dropped stays dropped. */
class LogAcceptTest {

  @TempDir Path outside;
  private LogRig rig;
  private long brokenOffset;

  /** Three files: batches 1 to 9 with 5 damaged, 10 to 14, 15 to 20. */
  @BeforeEach
  void makeDamagedLog() throws IOException {
    rig = new LogRig(outside.resolve("log"));
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 4);
      brokenOffset = LogHeader.LENGTH_BYTES + log.partBytes() + 40;
      LogRig.append(log, 5);
      log.turn();
      LogRig.append(log, 5);
      log.turn();
      LogRig.append(log, 6);
    }
    byte[] bytes = Files.readAllBytes(rig.file(0));
    bytes[(int) brokenOffset] ^= 1;
    Files.write(rig.file(0), bytes);
  }

  @Test
  void accept_readOnly_answersThePrefixAndWhatIsLostAndChangesNothing() throws IOException {
    Map<String, byte[]> before = rig.contents();

    LogRig.Read read = rig.read(0, 20, LostCommits.ACCEPT);

    assertThat(read.batches()).isEqualTo(LogRig.texts(1, 4));
    assertThat(read.replay().loss())
        .isEqualTo(
            "log holds less than was once durable; restore a backup, or open it with"
                + " LostCommits.ACCEPT to go on without the lost commits: file="
                + rig.file(0)
                + ", offset="
                + (brokenOffset - 40)
                + ", durable=9, read up to=4");
    rig.contents().forEach((name, bytes) -> assertThat(bytes).isEqualTo(before.get(name)));
    assertThat(rig.readable(0)).isEqualTo(-1);
  }

  @Test
  void read_nothingLost_tellsNoLoss() {
    assertThat(rig.read(9).replay().loss()).isNull();
  }

  @Test
  void accept_thenGoOn_laterBatchesAreNeverFoundAgain() throws IOException {
    try (FolderLog log = rig.begin(rig.read(0, 20, LostCommits.ACCEPT), 2)) {
      assertThat(log.lastNumber()).isEqualTo(4);
      assertThat(rig.readable(0)).isEqualTo(4);
      LogRig.append(log, 3);
    }
    assertThat(rig.contents()).hasSize(3);
    assertThat(rig.readable(0)).isEqualTo(7);

    // Each opening takes another file, and those that were dropped may be written over.
    try (FolderLog log = rig.open(3, 0)) {
      assertThat(log.lastNumber()).isEqualTo(7);
      LogRig.append(log, 30);
      log.turn();
      log.release(4);
      log.turn();
      LogRig.append(log, 1);
    }
    assertThat(rig.readable(4)).isEqualTo(38);
  }

  @Test
  void accept_storeIsBehindTheLogsBeginning_keepsNothingOfIt() {
    try (FolderLog log = rig.begin(rig.read(12, 20, LostCommits.ACCEPT), 2)) {
      assertThat(log.lastNumber()).isEqualTo(20);
    }
    LogRig other = new LogRig(outside.resolve("other"));
    try (FolderLog log = other.open(1, 30)) {
      LogRig.append(log, 5);
    }

    try (FolderLog log = other.begin(other.read(12, 35, LostCommits.ACCEPT), 2)) {
      assertThat(log.lastNumber()).isEqualTo(12);
      LogRig.append(log, 1);
    }

    assertThat(other.readable(12)).isEqualTo(13);
  }

  @Test
  void accept_headerIsLost_theFileIsNotFoundAgain() throws IOException {
    byte[] bytes = Files.readAllBytes(rig.file(2));
    bytes[20] ^= 1;
    Files.write(rig.file(2), bytes);
    assertThat(rig.readable(9)).isEqualTo(-1);

    try (FolderLog log = rig.begin(rig.read(9, 20, LostCommits.ACCEPT), 2)) {
      assertThat(log.lastNumber()).isEqualTo(14);
      LogRig.append(log, 1);
    }

    assertThat(rig.readable(9)).isEqualTo(15);
  }

  @Test
  void accept_fileWithTheLossIsWrittenOver_itsOldRecordsSayNothing() throws IOException {
    LogRig own = new LogRig(outside.resolve("own"));
    try (FolderLog log = own.open(1, 0)) {
      LogRig.appendAndSync(log, 9);
    }
    byte[] bytes = Files.readAllBytes(own.file(0));
    bytes[LogHeader.LENGTH_BYTES + 40] ^= 1;
    Files.write(own.file(0), bytes);

    // The numbers come a second time; the old records say that more of them were durable.
    try (FolderLog log = own.begin(own.read(0, 9, LostCommits.ACCEPT), 2)) {
      LogRig.append(log, 1);
    }

    assertThat(own.file(0)).binaryContent().as("the file was taken again").isNotEqualTo(bytes);
    assertThat(own.readable(0)).isEqualTo(1);
  }

  @Test
  void tornEnd_thenGoOn_restOfItIsNeverFoundAgain() throws IOException {
    LogRig torn = new LogRig(outside.resolve("torn"));
    long end;
    try (FolderLog log = torn.open(1, 0)) {
      LogRig.append(log, 4);
      end = LogHeader.LENGTH_BYTES + log.partBytes();
      LogRig.append(log, 5);
    }
    byte[] whole = Files.readAllBytes(torn.file(0));
    byte[] bytes = whole.clone();
    bytes[(int) end + 40] ^= 1;
    Files.write(torn.file(0), bytes);

    try (FolderLog log = torn.open(2, 0)) {
      assertThat(log.lastNumber()).isEqualTo(4);
      LogRig.append(log, 2);
    }
    assertThat(torn.readable(0)).isEqualTo(6);

    // Even if it could be read again: an opening was told that it never happened.
    Files.write(torn.file(0), whole);
    assertThat(torn.readable(0)).isEqualTo(6);
  }

  @Test
  void open_rounds_killedInBetween_eachGoesOnWhereTheLastWas() {
    LogRig own = new LogRig(outside.resolve("rounds"));
    long after = 0;
    for (int epoch = 1; epoch <= 30; epoch++) {
      // Never closed: what is appended survives the process.
      FolderLog log = own.open(epoch, after);
      long last = log.lastNumber();
      LogRig.append(log, 1 + epoch * 7 % 20);
      if (epoch % 3 == 0) {
        log.release(last);
        after = last;
      }
      if (epoch % 2 == 0) {
        log.turn();
        LogRig.append(log, epoch % 5);
      }
      assertThat(own.readable(after)).isEqualTo(log.lastNumber());
    }
  }
}
