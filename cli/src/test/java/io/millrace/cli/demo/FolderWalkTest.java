package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderWalkTest {

  @TempDir private Path temp;
  private SourceFolder source = SourceFolder.of(Path.of("."));
  private Path excluded = Path.of("none");

  @BeforeEach
  void setUp() throws IOException {
    source = SourceFolder.of(Files.createDirectory(temp.resolve("source")));
    excluded = source.path().resolve("millrace-demo");
  }

  @Test
  void walk_filesWithOddNames_findsEachOnceInOrder() throws IOException {
    for (FileName name : Names.ODD) {
      Names.create(source, name);
    }

    List<FileName> found = names(Optional.empty());

    assertThat(found).containsExactlyElementsOf(Names.ODD.stream().sorted().toList());
  }

  @Test
  void walk_afterAnyName_findsExactlyTheRest() throws IOException {
    for (String name : List.of("a/x", "a/y/z", "a-b", "a.c/d", "b", "c/a", "c/b/a", "d")) {
      Names.create(source, Names.of(name));
    }
    List<FileName> all = names(Optional.empty());

    for (int i = 0; i < all.size(); i++) {
      assertThat(names(Optional.of(all.get(i))))
          .as("after %s", all.get(i))
          .isEqualTo(all.subList(i + 1, all.size()));
    }
  }

  @Test
  void walk_afterANameThatVanished_goesOnBehindIt() throws IOException {
    for (String name : List.of("a/x", "a/z", "b")) {
      Names.create(source, Names.of(name));
    }

    assertThat(names(Optional.of(Names.of("a/y")))).containsExactly(Names.of("a/z"), Names.of("b"));
  }

  @Test
  void walk_linksAndPipes_areToldButNotFollowed() throws Exception {
    Names.create(source, Names.of("dir/file"));
    Files.createSymbolicLink(source.path().resolve("dir/loop"), source.path());
    Files.createSymbolicLink(source.path().resolve("to-file"), Path.of("dir/file"));
    Files.createSymbolicLink(source.path().resolve("dangling"), Path.of("nowhere"));
    Shell.run(source.path(), "mkfifo pipe");

    List<String> found = new ArrayList<>();
    walk(Optional.empty()).forEachRemaining(item -> found.add(item.kind() + " " + item.name()));

    assertThat(found)
        .containsExactly(
            "LINK dangling", "FILE dir/file", "LINK dir/loop", "SPECIAL pipe", "LINK to-file");
  }

  @Test
  void walk_excludedFolder_isPassedOver() throws IOException {
    Names.create(source, Names.of("millrace-demo/store/data.mdb"));
    Names.create(source, Names.of("a/millrace-demo/kept"));

    assertThat(names(Optional.empty())).containsExactly(Names.of("a/millrace-demo/kept"));
  }

  @Test
  void walk_pathTooLongForTheSystem_isToldAsUnreadable() throws Exception {
    Shell.run(source.path(), Shell.MAKE_TOO_DEEP);

    List<Found> found = new ArrayList<>();
    walk(Optional.empty()).forEachRemaining(found::add);

    Shell.run(source.path(), Shell.REMOVE_TOO_DEEP);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).kind()).isEqualTo(Found.Kind.UNREADABLE);
  }

  @Test
  void walk_folderThatVanished_findsNothing() throws IOException {
    Files.delete(source.path());

    assertThat(names(Optional.empty())).isEmpty();
  }

  @Test
  void next_file_tellsItsSizeAndTime() throws IOException {
    Path file = Names.create(source, Names.of("abc"));

    Found found = walk(Optional.empty()).next();

    assertThat(found.kind()).isEqualTo(Found.Kind.FILE);
    assertThat(found.sizeBytes()).isEqualTo(3);
    assertThat(found.modifiedNs() / 1_000_000)
        .isEqualTo(Files.getLastModifiedTime(file).toMillis());
  }

  private List<FileName> names(Optional<FileName> after) {
    List<FileName> names = new ArrayList<>();
    walk(after).forEachRemaining(found -> names.add(found.name()));
    return names;
  }

  private FolderWalk walk(Optional<FileName> after) {
    return new FolderWalk(source, excluded, after);
  }
}
