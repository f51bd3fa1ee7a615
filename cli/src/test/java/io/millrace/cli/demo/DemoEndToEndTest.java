package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.Shell;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("thorough")
final class DemoEndToEndTest {

  private static final int MANY = 300;
  private static final int FILE_COUNT = MANY + Names.ODD.size() + 1;

  private final Path temp;
  private final DemoFixture demo;

  DemoEndToEndTest(@TempDir Path temp) throws IOException {
    this.temp = temp;
    this.demo = DemoFixture.in(temp);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb", "memory"})
  void demo_folderOfOddFiles_hashesEachOnce(String store) throws Exception {
    demo.createFiles(MANY);
    Shell.run(demo.source, "mkfifo pipe; ln -s .. loop; ln -s nowhere dangling");

    CommandRun run = demo.run("--store", store, "--fail-every", "20");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    demo.assertManifestIsRight();
    assertThat(run.out())
        .contains("Complete: " + FILE_COUNT + " jobs done in ")
        .contains("  files         " + FILE_COUNT + " with ")
        .contains(
            "  retried       16 (simulated: the first attempt of every 20th job fails on purpose)")
        .contains("  skipped       2 symbolic links, 1 special file")
        .contains("  dead letters  0");
  }

  @Test
  void demo_completeAlready_hasNothingToDo() throws Exception {
    demo.createFiles(MANY);
    demo.run();

    CommandRun again = demo.run();

    assertThat(again.out()).contains("Complete: nothing was left to do. Start over with --fresh.");
    assertThat(again.exitCode()).isEqualTo(ExitCode.OK);
    demo.assertManifestIsRight();
  }

  @Test
  void demo_filesChangedSince_takesThemInAndLeavesOutWhatIsGone() throws Exception {
    demo.createFiles(MANY);
    demo.run();
    Files.writeString(demo.source.resolve("0 came later"), "new");
    Files.writeString(demo.source.resolve("large"), "small now");
    Files.delete(demo.source.resolve("many/3/file-3"));

    CommandRun again = demo.run();

    assertThat(again.out()).contains("Complete: 2 jobs done in ");
    demo.assertManifestIsRight();
  }

  @Test
  void demo_emptyFolder_isComplete() throws Exception {
    CommandRun run = demo.run();

    assertThat(run.out())
        .contains("  files         0 with 0 B in the manifest")
        .doesNotContain("sha256sum");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(demo.manifest()).isEmptyFile();
  }

  @Test
  void demo_ownFolderInsideTheSource_isNotHashed() throws Exception {
    demo.createFiles(10);
    Path inside = demo.source.resolve("millrace-demo");

    CommandRun run = CommandRun.of("demo", demo.source.toString(), "--dir", inside.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(inside.resolve("manifest.sha256"))
        .content(StandardCharsets.ISO_8859_1)
        .doesNotContain("millrace-demo");
  }

  @Test
  void demo_folderThatCannotBeRead_becomesADeadLetterUntilItCan() throws Exception {
    demo.createFiles(10);
    Shell.run(demo.source, Shell.MAKE_TOO_DEEP);

    CommandRun run = demo.run();

    Shell.run(demo.source, Shell.REMOVE_TOO_DEEP);
    assertThat(run.out())
        .contains("  dead letters  1")
        .contains("cannot be read: File name too long");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    demo.assertManifestIsRight();
  }

  @Test
  void demo_pipeOrLinkInPlaceOfAFile_becomesADeadLetterAndIsNotWaitedFor() throws Exception {
    Shell.run(demo.source, "mkfifo pipe; ln -s pipe link");
    demo.run();
    enqueue("pipe");
    enqueue("link");

    CommandRun run = demo.run();

    assertThat(run.out())
        .contains("  dead letters  2")
        .contains("pipe: no longer a regular file", "link: no longer a regular file");
  }

  @Test
  void demo_jobOfAFolder_isDoneIfItCanBeRead() throws Exception {
    Files.createDirectory(demo.source.resolve("folder"));
    demo.run();
    enqueue("folder");

    CommandRun run = demo.run();

    assertThat(run.out()).contains("Complete: 1 job done", "  dead letters  0");
  }

  @Test
  void demo_fileThatVanishedAfterTheScan_becomesADeadLetterWithTheReason() throws Exception {
    demo.createFiles(10);
    demo.run();
    enqueue("gone%1B.txt");

    CommandRun run = demo.run();

    assertThat(run.out())
        .contains("  dead letters  1")
        .contains("gone\\u001b.txt: vanished after it was found");
    demo.assertManifestIsRight();
  }

  @Test
  void demo_deadLetterRedriven_isTriedAgain() throws Exception {
    demo.createFiles(10);
    demo.run();
    enqueue("back%20again");
    demo.run();
    Files.writeString(demo.source.resolve("back again"), "here");

    CommandRun redrive = CommandRun.of("dead", "redrive", demo.store().toString(), "--all");
    CommandRun run = demo.run();

    assertThat(redrive.out()).isEqualToIgnoringNewLines("redriven 1 dead letter");
    assertThat(run.out()).contains("  dead letters  0");
    demo.assertManifestIsRight();
  }

  @Test
  void demo_otherFolderOrStoreWhileComplete_keepsTheResultUnlessFresh() throws Exception {
    demo.createFiles(10);
    demo.run();
    Path other = Files.createDirectory(temp.resolve("other"));
    Files.writeString(other.resolve("only"), "one");
    String[] otherFolder = {"demo", other.toString(), "--dir", demo.dir.toString()};

    CommandRun folder = CommandRun.of(otherFolder);
    CommandRun memory = demo.run("--store", "memory");
    CommandRun rocksdb = demo.run("--store", "rocksdb");

    assertThat(folder.err())
        .startsWith("millrace: " + demo.dir + " holds a demo of another folder: there FOLDER is ")
        .contains("give another --dir, or replace it with --fresh");
    assertThat(memory.err())
        .startsWith("millrace: " + demo.dir + " holds a demo whose jobs are kept; give another");
    assertThat(rocksdb.err()).contains("folder=" + demo.store(), "lmdb");
    assertThat(List.of(folder, memory, rocksdb))
        .allMatch(refused -> refused.exitCode() == ExitCode.CANNOT);
    demo.assertManifestIsRight();
    CommandRun fresh = CommandRun.of("demo", other.toString(), "--dir", demo.dir + "", "--fresh");
    assertThat(fresh.out()).contains("  files         1 with 3 B in the manifest");
  }

  @Test
  void demo_fresh_doesEverythingAgain() throws Exception {
    demo.createFiles(10);
    demo.run();

    CommandRun run = demo.run("--fresh");

    assertThat(run.out()).contains("Complete: " + (10 + Names.ODD.size() + 1) + " jobs done in ");
    demo.assertManifestIsRight();
  }

  @Test
  void demo_manifestRemoved_makesItAgain() throws Exception {
    demo.createFiles(10);
    demo.run();
    Files.delete(demo.manifest());

    CommandRun run = demo.run();

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    demo.assertManifestIsRight();
  }

  @Test
  void demo_storeOpenElsewhere_saysWhere() throws Exception {
    demo.createFiles(10);
    demo.run();

    CommandRun run;
    try (JobEngine engine = JobEngine.open("lmdb:" + demo.store())) {
      run = demo.run();
      engine.queue("still usable").enqueue(new byte[0]);
    }

    assertThat(run.err())
        .startsWith("millrace: locked: store folder is open in this process already: folder=")
        .contains("pid=" + ProcessHandle.current().pid());
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void demo_missingFolder_saysSo() {
    CommandRun run = CommandRun.of("demo", temp + "/missing", "--dir", demo.dir.toString());

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: cannot read FOLDER: " + temp + "/missing: no such file or folder");
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(demo.dir).doesNotExist();
  }

  @Test
  void demo_dirIsAFile_saysSo() throws IOException {
    Files.createFile(demo.dir);

    CommandRun run = demo.run();

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: --dir is no folder: %s; name one, or one that is yet to be made"
                .formatted(demo.dir));
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  private void enqueue(String name) {
    try (JobEngine engine = JobEngine.open("lmdb:" + demo.store())) {
      engine.enqueue(JobType.of("demo-files", Codec.TEXT), name);
    }
  }
}
