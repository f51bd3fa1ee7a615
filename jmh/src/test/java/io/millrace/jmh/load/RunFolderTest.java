package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {

  @TempDir private Path folder;

  @Test
  void bytes_ofAStoreWithAReserve_areThoseOfTheOtherFiles() throws IOException {
    Files.write(folder.resolve("RESERVE"), new byte[1_000]);
    Files.write(Files.createDirectory(folder.resolve("data")).resolve("1.log"), new byte[30]);
    Files.write(folder.resolve("LOCK"), new byte[4]);

    assertThat(RunFolder.bytes(folder)).isEqualTo(34);
  }

  @Test
  void close_removesAllOfIt() throws IOException {
    Path made;
    try (RunFolder run = RunFolder.create(folder)) {
      made = run.path();
      Files.write(Files.createDirectory(made.resolve("data")).resolve("1.log"), new byte[30]);
    }

    assertThat(made).doesNotExist();
    assertThat(folder).isEmptyDirectory();
  }
}
