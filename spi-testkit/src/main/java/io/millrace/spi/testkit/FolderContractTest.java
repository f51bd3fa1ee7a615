package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Contract of folders: how a store that keeps files treats the folder that it is given. */
public abstract class FolderContractTest extends StoreContract {

  protected FolderContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void open_twiceThroughASymbolicLink_isRefused() throws Exception {
    open();
    Path link = Files.createSymbolicLink(parent.resolve("link"), folder());

    assertThatThrownBy(() -> open(StoreOptions.of(link))).isInstanceOf(StoreLockedException.class);
  }

  @Test
  void open_folderIsAFile_isRefusedWithItsName() throws Exception {
    Files.writeString(folder(), "not a folder");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(folder().toString());

    assertThat(folder()).hasContent("not a folder");
  }

  @Test
  void open_folderHoldsSomethingElse_isRefusedAndNothingIsTouched() throws Exception {
    Files.createDirectory(folder());
    Path foreign = Files.writeString(folder().resolve("letter.txt"), "not ours");

    assertThatThrownBy(this::open).isInstanceOf(FormatVersionException.class);

    assertThat(folder()).isDirectoryNotContaining(file -> !file.equals(foreign));
    assertThat(foreign).hasContent("not ours");
  }

  @Test
  void open_emptyFolder_makesAStore() throws Exception {
    Files.createDirectory(folder());

    writeNumbered(open(), 1);

    assertThat(folder()).isNotEmptyDirectory();
  }

  @Test
  void backup_intoAFolderWithFiles_isRefusedAndTheyAreUntouched() throws Exception {
    Path target = parent.resolve("copy");
    Files.createDirectory(target);
    Path letter = Files.writeString(target.resolve("letter.txt"), "not ours");

    assertThatThrownBy(() -> open().backupTo(target))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(target.toString());

    assertThat(target).isDirectoryNotContaining(file -> !file.equals(letter));
    assertThat(letter).hasContent("not ours");
  }
}
