package io.millrace.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.cli.fixture.UnwritableFolder;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores in folders that cannot be written are read all the same. */
@Tag("slow")
final class ReadOnlyEndToEndTest {

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void commandsThatRead_folderThatCannotBeWritten_sayTheSameAndOneLineMore(String kind)
      throws Exception {
    PreparedStore store = PreparedStore.in(kind, temp.resolve("jobs"));
    String before = PreparedStore.run("verify", store, "--json").out();
    List<Path> files = files(store.folder());

    List<CommandRun> runs =
        UnwritableFolder.during(
            store.folder(),
            () ->
                List.of(
                    PreparedStore.run("verify", store, "--json"),
                    PreparedStore.run("inspect", store, "--job", store.dead().toString()),
                    PreparedStore.run("dead list", store),
                    PreparedStore.run("copy", store, temp.resolve("copy").toString()),
                    PreparedStore.run("backup", store, temp.resolve("backup").toString())));
    CommandRun redriven =
        UnwritableFolder.during(
            store.folder(), () -> PreparedStore.run("dead redrive", store, "--all"));

    assertThat(runs.get(0).out()).isEqualTo(before);
    assertThat(runs.get(1).out()).contains("queue       mail", "payload     5 bytes: first");
    assertThat(runs.get(2).out()).contains(store.dead().toString(), store.deadToo().toString());
    for (CommandRun run : runs) {
      assertThat(run.err())
          .isEqualToIgnoringNewLines(
              "millrace: %s cannot be written: it is read all the same, and no engine can open it"
                      .formatted(store.path())
                  + " meanwhile");
      assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }
    for (String made : List.of("copy", "backup")) {
      assertThat(CommandRun.of("verify", temp.resolve(made).toString()).out())
          .isEqualToIgnoringNewLines(
              "ok: 3 queues, 4 jobs, 0 problems, 0 rows set aside as damaged");
    }
    assertThat(redriven.err())
        .isEqualToIgnoringNewLines(
            "millrace: store folder is not writable: folder=" + store.path());
    assertThat(redriven.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(files(store.folder())).isEqualTo(files);
    assertThat(links()).isEmpty();
  }

  @Test
  void verify_folderWithoutALockFile_saysThatNobodyIsKeptOut() throws Exception {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs"));
    Files.delete(store.folder().resolve("LOCK"));

    CommandRun run =
        UnwritableFolder.during(store.folder(), () -> PreparedStore.run("verify", store));

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: %s cannot be written: it is read all the same, but not locked: see to it"
                    .formatted(store.path())
                + " that no engine opens it meanwhile");
    assertThat(run.out()).startsWith("ok: ");
  }

  @Test
  void inspect_folderHeldByAnEngineElsewhere_isRefusedWithItsPid() throws Exception {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs"));
    Path seen = Files.createDirectory(temp.resolve("seen"));
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      Files.delete(seen);
      Files.createSymbolicLink(seen, store.folder());
      CommandRun run =
          UnwritableFolder.during(store.folder(), () -> CommandRun.of("inspect", seen.toString()));

      assertThat(run.err())
          .startsWith("millrace: locked: store folder is open in another process: folder=")
          .contains("pid=" + child.pid());
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void inspect_damagedStoreThatCannotBeWritten_namesTheFolderThatTheUserKnows() throws Exception {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs"));
    Files.write(store.folder().resolve("data.mdb"), new byte[9_000]);

    CommandRun run =
        UnwritableFolder.during(store.folder(), () -> PreparedStore.run("inspect", store));

    assertThat(run.err().lines().toList())
        .last()
        .asString()
        .startsWith("millrace: data file is damaged, restore it from a backup: file=")
        .contains(store.path() + "/data.mdb");
    assertThat(links()).isEmpty();
  }

  @Test
  void restore_backupThatCannotBeWritten_saysWhatToDo() throws Exception {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs"));

    CommandRun run =
        UnwritableFolder.during(
            store.folder(),
            () -> PreparedStore.run("restore", store, temp.resolve("restored").toString()));

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: a backup is marked when it is restored, and this one cannot be written: %s;"
                    .formatted(store.path())
                + " copy the folder to where it can, and restore that");
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      assertThat(engine.isFull()).isFalse();
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList();
    }
  }

  /** What is left of folders of links. */
  private static List<Path> links() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.toString().contains("millrace-read-")).toList();
    }
  }
}
