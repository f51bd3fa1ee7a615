package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.demo.FileHasher.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileHasherTest {

  private static final String SUM_OF_NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final String SUM_OF_ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path temp;
  private final LongAdder bytesRead = new LongAdder();
  private SourceFolder source = SourceFolder.of(Path.of("."));
  private FileHasher hasher = new FileHasher(source, bytesRead);

  @BeforeEach
  void setUp() {
    source = SourceFolder.of(temp);
    hasher = new FileHasher(source, bytesRead);
  }

  @Test
  void hash_files_answersSumAndSize() throws IOException {
    Names.create(source, Names.of("abc"));
    Names.create(source, Names.of("empty"));

    HashedFile abc = ((Outcome.Hashed) hasher.hash(Names.of("abc"), () -> false)).file();
    HashedFile empty = ((Outcome.Hashed) hasher.hash(Names.of("empty"), () -> false)).file();

    assertThat(abc.sha256()).isEqualTo(SUM_OF_ABC);
    assertThat(abc.sizeBytes()).isEqualTo(3);
    assertThat(empty.sha256()).isEqualTo(SUM_OF_NOTHING);
    assertThat(empty.sizeBytes()).isZero();
    assertThat(bytesRead.sum()).isEqualTo(3);
  }

  @Test
  void hash_fileAsTheWalkFindsIt_isOfThatState() throws IOException {
    Names.create(source, Names.of("abc"));
    Found found = new FolderWalk(source, Path.of("none"), Optional.empty()).next();

    HashedFile file = ((Outcome.Hashed) hasher.hash(Names.of("abc"), () -> false)).file();

    assertThat(file.isOf(found)).isTrue();
  }

  @Test
  void hash_fileThatVanished_failsForGood() {
    assertThat(hasher.hash(Names.of("gone"), () -> false))
        .isEqualTo(new Outcome.Failed("vanished after it was found", true));
  }

  @Test
  void hash_partOfThePathIsAFile_failsWithTheReason() throws IOException {
    Names.create(source, Names.of("file"));

    // Java 25 says of such a path that there is no file, earlier ones what the system says.
    assertThat(hasher.hash(Names.of("file/below"), () -> false))
        .isIn(
            new Outcome.Failed("cannot be read: Not a directory", false),
            new Outcome.Failed("vanished after it was found", true));
  }

  @Test
  void hash_pipeOrLinkInPlaceOfTheFile_failsAndDoesNotWait() throws Exception {
    Shell.run(temp, "mkfifo pipe; ln -s pipe link");

    assertThat(hasher.hash(Names.of("pipe"), () -> false))
        .isEqualTo(new Outcome.Failed("no longer a regular file", true));
    assertThat(hasher.hash(Names.of("link"), () -> false))
        .isEqualTo(new Outcome.Failed("no longer a regular file", true));
  }

  @Test
  void hash_readableFolder_saysSo() throws IOException {
    Files.createDirectory(temp.resolve("folder"));

    assertThat(hasher.hash(Names.of("folder"), () -> false))
        .isEqualTo(new Outcome.ReadableFolder());
  }

  @Test
  void hash_whenStopped_givesUp() throws IOException {
    Names.create(source, Names.of("abc"));

    assertThat(hasher.hash(Names.of("abc"), () -> true)).isEqualTo(new Outcome.Stopped());
  }
}
