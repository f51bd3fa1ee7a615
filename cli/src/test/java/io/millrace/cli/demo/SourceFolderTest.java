package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourceFolderTest {

  @TempDir private Path temp;

  @Test
  void nameOf_filesWithOddNames_keepsEveryByte() throws IOException {
    SourceFolder source = SourceFolder.of(temp);
    for (byte[] name : Names.ODD) {
      Path file = Names.create(source, name);

      String found = source.nameOf(file);

      assertThat(SourceFolder.bytes(found)).isEqualTo(name);
      assertThat(source.pathOf(found)).isEqualTo(file);
    }
  }

  @Test
  void nameOf_folder_hasNoSlashAtItsEnd() throws IOException {
    SourceFolder source = SourceFolder.of(temp);
    Path folder = Files.createDirectories(source.path().resolve("a/b"));

    assertThat(source.nameOf(folder)).isEqualTo("a/b");
    assertThat(source.nameOf(source.path())).isEmpty();
    assertThat(source.pathOf("")).isEqualTo(source.path());
  }

  @Test
  void of_symbolicLink_isWhatItLeadsTo() throws IOException {
    Path target = Files.createDirectory(temp.resolve("target"));
    Path link = Files.createSymbolicLink(temp.resolve("link"), target);

    assertThat(SourceFolder.of(link).uri()).isEqualTo(SourceFolder.of(target).uri());
  }

  @Test
  void of_missingFolder_isRefused() {
    Path missing = temp.resolve("missing\n");

    assertThatThrownBy(() -> SourceFolder.of(missing))
        .isInstanceOf(DemoException.class)
        .hasMessage("cannot read FOLDER: " + temp + "/missing\\n: no such file or folder");
  }

  @Test
  void of_file_isRefused() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));

    assertThatThrownBy(() -> SourceFolder.of(file))
        .isInstanceOf(DemoException.class)
        .hasMessage("FOLDER is not a folder: " + file);
  }

  @Test
  void shown_uriWithEscapes_isReadable() {
    assertThat(SourceFolder.shown("file:///a%20b/%C3%A4%FF/")).isEqualTo("/a b/\\xc3\\xa4\\xff");
    assertThat(SourceFolder.shown("file:///a%20b/%C3%A4/")).isEqualTo("/a b/ä");
  }
}
