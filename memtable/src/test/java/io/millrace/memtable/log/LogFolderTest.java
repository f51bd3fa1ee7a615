package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions.LostCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that others put things into, or take them out of. */
class LogFolderTest {

  @TempDir Path outside;

  private LogRig rig() {
    return new LogRig(outside.resolve("log"));
  }

  @Test
  void read_somethingElseInItsPlace_isNoEmptyLog() throws IOException {
    Files.write(rig().folder(), new byte[100]);

    assertThatThrownBy(() -> rig().read(0))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("log cannot be used: folder=" + rig().folder());
  }

  @Test
  void read_copyOfAFileBesideIt_isRefused() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 5);
      Files.copy(rig.file(0), rig.file(7));
      LogRig.append(log, 5);
    }

    assertThatThrownBy(() -> rig.read(0, 0, LostCommits.ACCEPT))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("file=" + rig.file(0))
        .hasMessageContaining("copy=" + rig.file(7));

    Files.delete(rig.file(7));
    assertThat(rig.readable(0)).isEqualTo(10);
  }

  @Test
  void read_otherNamesBesideIt_areLeftAlone() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 5);
    }
    Files.copy(rig.file(0), rig.folder().resolve("log-0.bak"));
    Files.write(rig.folder().resolve("log-"), new byte[10]);
    Files.createDirectory(rig.folder().resolve("log-x"));

    assertThat(rig.readable(0)).isEqualTo(5);
    Files.createDirectory(rig.file(8));
    assertThatThrownBy(() -> rig.read(0))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(rig.file(8).toString());
  }

  @Test
  void turn_freeFilesWereTakenAway_othersAreMadeForTheOwnerAlone() throws IOException {
    LogRig rig = rig();
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 5);
      Files.delete(rig.file(1));
      Files.delete(rig.file(2));

      log.turn();
      LogRig.append(log, 5);

      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rig.file(1))))
          .isEqualTo("rw-------");
      assertThat(rig.readable(0)).isEqualTo(10);
    }
  }
}
