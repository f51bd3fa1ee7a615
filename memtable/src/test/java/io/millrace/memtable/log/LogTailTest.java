package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records behind the torn end of a log: they never happened, whatever becomes of later files. */
class LogTailTest {

  @TempDir Path outside;

  @Test
  void begin_recordsBehindAGap_areNeverReadAgain() throws IOException {
    LogRig rig = new LogRig(outside.resolve("log"));
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 12);
    }
    // The power was lost: of what was not synced, batch 6 is not there, and those behind it are.
    tear(rig.file(0), 6);
    assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, 5));
    assertThat(rig.read(8).batches()).as("behind what a store has").isNotEmpty();

    try (FolderLog log = rig.open(2, 0)) {
      for (long number = 6; number <= 8; number++) {
        log.append(LogRig.longBatch(number, 10));
      }
    }
    assertThat(rig.read(0).last()).isEqualTo(8);
    Files.delete(rig.file(1));

    assertThat(rig.read(0).batches()).isEqualTo(LogRig.texts(1, 5));
    assertThat(rig.read(8).batches()).as("of a removal that ended half-way").isEmpty();
  }

  private static void tear(Path file, long number) throws IOException {
    long offset = LogHeader.LENGTH_BYTES;
    for (long before = 1; before < number; before++) {
      offset += LogRecord.lengthOf(LogRig.batch(before));
    }
    try (RandomAccessFile torn = new RandomAccessFile(file.toFile(), "rw")) {
      torn.seek(offset);
      torn.write(new byte[LogRecord.lengthOf(LogRig.batch(number))]);
    }
  }
}
