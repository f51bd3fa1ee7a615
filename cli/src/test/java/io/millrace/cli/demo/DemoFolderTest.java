package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.demo.DemoOptions.Start;
import io.millrace.cli.demo.DemoOptions.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoFolderTest {

  @TempDir private Path temp;
  private Path path = Path.of("none");
  private SourceFolder one = SourceFolder.of(Path.of("."));
  private SourceFolder two = one;

  @BeforeEach
  void setUp() throws IOException {
    path = Files.createDirectory(temp.resolve("millrace-demo"));
    one = SourceFolder.of(Files.createDirectory(temp.resolve("one")));
    two = SourceFolder.of(Files.createDirectory(temp.resolve("two")));
  }

  @Test
  void prepare_emptyFolder_begins() throws IOException {
    assertThat(prepare(one, StoreKind.LMDB, Start.GO_ON)).isFalse();
  }

  @Test
  void prepare_sameDemoAgain_goesOnAndKeepsEverything() throws IOException {
    prepare(one, StoreKind.LMDB, Start.GO_ON);
    leaveResults();

    assertThat(prepare(one, StoreKind.LMDB, Start.GO_ON)).isTrue();

    assertThat(path.resolve("results.journal")).exists();
    assertThat(path.resolve("store/data.mdb")).exists();
  }

  @Test
  void prepare_unfinishedDemoOfAnotherFolder_isRefusedWithBothNames() throws IOException {
    prepare(one, StoreKind.LMDB, Start.GO_ON);
    leaveResults();

    assertThatThrownBy(() -> prepare(two, StoreKind.MEMORY, Start.GO_ON))
        .isInstanceOf(DemoException.class)
        .hasMessage(
            path
                + " holds an unfinished demo of another folder or store: there FOLDER is "
                + one
                + " and --store is lmdb, here "
                + two
                + " and memory; finish that one, give another --dir, or replace it with --fresh");
    assertThat(path.resolve("store/data.mdb")).exists();
  }

  @Test
  void prepare_completeDemoOfAnotherFolderOrStore_isRefusedAndKept() throws IOException {
    for (StoreKind kind : StoreKind.values()) {
      prepare(one, kind, Start.FRESH);
      new DemoFolder(path).markComplete(one, kind);
      leaveResults();
      StoreKind other = kind == StoreKind.LMDB ? StoreKind.ROCKSDB : StoreKind.LMDB;

      assertThatThrownBy(() -> prepare(two, kind, Start.GO_ON))
          .isInstanceOf(DemoException.class)
          .hasMessageEndingWith("; give another --dir, or replace it with --fresh");
      assertThatThrownBy(() -> prepare(one, other, Start.GO_ON))
          .isInstanceOf(DemoException.class)
          .hasMessage(
              path
                  + " holds the result of a demo of another folder or store: there FOLDER is "
                  + one
                  + " and --store is "
                  + kind
                  + ", here "
                  + one
                  + " and "
                  + other
                  + "; give another --dir, or replace it with --fresh");

      assertThat(path.resolve("manifest.sha256")).exists();
    }
  }

  @Test
  void prepare_fresh_removesWhatTheDemoMade() throws IOException {
    prepare(one, StoreKind.LMDB, Start.GO_ON);
    leaveResults();
    Files.createFile(path.resolve("notes of mine"));

    assertThat(prepare(two, StoreKind.LMDB, Start.FRESH)).isFalse();

    assertNothingLeft();
    assertThat(path.resolve("notes of mine")).exists();
  }

  @Test
  void prepare_memoryAgain_startsOver() throws IOException {
    prepare(one, StoreKind.MEMORY, Start.GO_ON);
    leaveResults();

    assertThat(prepare(one, StoreKind.MEMORY, Start.GO_ON)).isFalse();

    assertNothingLeft();
  }

  @Test
  void prepare_killedWhileClearing_clearsTheRest() throws IOException {
    prepare(one, StoreKind.LMDB, Start.GO_ON);
    Path settings = path.resolve("demo.properties");
    Files.writeString(settings, Files.readString(settings).replace("RUNNING", "CLEARING"));
    leaveResults();

    assertThat(prepare(one, StoreKind.LMDB, Start.GO_ON)).isFalse();

    assertNothingLeft();
  }

  @Test
  void prepare_folderOfSomeoneElse_isRefused() throws IOException {
    Files.createFile(path.resolve("thesis.tex"));

    assertThatThrownBy(() -> prepare(one, StoreKind.LMDB, Start.FRESH))
        .isInstanceOf(DemoException.class)
        .hasMessage(
            path
                + " was not made by the demo and is not empty: it holds thesis.tex; give another"
                + " --dir");
  }

  @Test
  void prepare_damagedSettings_isRefused() throws IOException {
    Files.writeString(path.resolve("demo.properties"), "store=what\n");

    assertThatThrownBy(() -> prepare(one, StoreKind.LMDB, Start.GO_ON))
        .isInstanceOf(DemoException.class)
        .hasMessage(
            path.resolve("demo.properties")
                + " is damaged: remove the folder, or give another --dir");
  }

  @Test
  void take_lockHeldAlready_namesThePid() throws IOException {
    try (DemoLock lock = DemoLock.take(path)) {
      assertThatThrownBy(() -> DemoLock.take(lock.folder()))
          .isInstanceOf(DemoException.class)
          .hasMessage(
              "another demo is running in %s: pid %d; wait for it, stop it, or give another --dir",
              path, ProcessHandle.current().pid());
    }

    DemoLock.take(path).close();
  }

  private boolean prepare(SourceFolder source, StoreKind store, Start start) throws IOException {
    return new DemoFolder(path).prepare(source, store, start);
  }

  private void leaveResults() throws IOException {
    Files.createDirectory(path.resolve("store"));
    Files.createFile(path.resolve("store/data.mdb"));
    Files.createFile(path.resolve("results.journal"));
    Files.createFile(path.resolve("manifest.sha256"));
  }

  private void assertNothingLeft() {
    assertThat(path.resolve("store")).doesNotExist();
    assertThat(path.resolve("results.journal")).doesNotExist();
    assertThat(path.resolve("manifest.sha256")).doesNotExist();
  }
}
