package io.millrace.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.command.CannotException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreLocationTest {

  @TempDir private Path temp;

  @Test
  void of_folderWithHeader_findsTheScheme() throws IOException {
    Path folder = store("jobs", "format=1\nstore=lmdb\n");

    assertThat(StoreLocation.of(folder.toString()).location()).isEqualTo("lmdb:" + folder);
  }

  @Test
  void of_schemeAndFolder_isTakenAsItIs() throws IOException {
    Path folder = store("jobs", "store=lmdb\n");

    assertThat(StoreLocation.of("lmdb:" + folder).location()).isEqualTo("lmdb:" + folder);
  }

  @Test
  void of_folderWithColonInItsName_isAFolder() throws IOException {
    Path folder = store("jo:bs", "store=lmdb\n");

    assertThat(StoreLocation.of(folder.toString()).location()).isEqualTo("lmdb:" + folder);
  }

  @Test
  void of_missingFolder_saysSo() {
    assertCannot(temp + "/no\nne", "there is no such folder: " + temp + "/no\\nne");
    assertCannot("lmdb:" + temp + "/none", "there is no such folder: " + temp + "/none");
  }

  @Test
  void of_file_saysSo() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));

    assertCannot(file.toString(), "not a folder: " + file);
  }

  @Test
  void of_folderWithoutHeader_saysSo() {
    assertCannot(temp.toString(), temp + " holds no store: it has no file MILLRACE");
  }

  @Test
  void of_demoFolder_namesTheStoreInside() throws IOException {
    Path inside = store("store", "store=lmdb\n");

    assertCannot(
        temp.toString(),
        temp + " holds no store: it has no file MILLRACE; did you mean " + inside + "?");
  }

  @Test
  void of_headerWithoutStore_saysThatItIsDamaged() throws IOException {
    Path folder = store("jobs", "nothing\n");

    assertCannot(
        folder.toString(),
        "the store's header is damaged: " + folder + "; restore the file MILLRACE from a backup");
  }

  @Test
  void of_otherKindThanFound_saysBoth() throws IOException {
    Path folder = store("jobs", "store=rocksdb\n");

    assertCannot(
        "lmdb:" + folder, folder + " holds another kind of store: asked for lmdb, found rocksdb");
  }

  @Test
  void of_unknownScheme_namesTheKnownOnes() {
    assertCannot("redis:x", "unknown kind of store: redis; known are lmdb, postgresql, rocksdb");
  }

  @Test
  void of_headerOfAnUnknownKind_namesTheKnownOnes() throws IOException {
    Path paper = store("paper", "store=paper\n");
    Path memory = store("memory", "store=memory\n");

    for (Path folder : List.of(paper, memory)) {
      assertCannot(
          folder.toString(),
          ("%s holds a store of an unknown kind: %s; known are lmdb, postgresql, rocksdb; take the"
                  + " version of millrace that wrote it")
              .formatted(folder, folder.getFileName()));
    }
  }

  @Test
  void of_memory_isNotThere() {
    assertCannot(
        "memory:x", "a memory store lives only inside its process: there is nothing to look into");
  }

  @Test
  void of_schemeAlone_saysThatTheFolderIsMissing() {
    assertCannot("lmdb:", "STORE names no folder: lmdb:");
  }

  private Path store(String name, String header) throws IOException {
    Path folder = Files.createDirectory(temp.resolve(name));
    Files.writeString(folder.resolve("MILLRACE"), header);
    return folder;
  }

  private static void assertCannot(String argument, String message) {
    assertThatThrownBy(() -> StoreLocation.of(argument))
        .isInstanceOf(CannotException.class)
        .hasMessage(message);
  }
}
