package io.millrace.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobReader;
import io.millrace.api.VerifyReport;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backup, restore, copy, repair and export, from the command line to the files. */
@Tag("slow")
class CopyEndToEndTest {

  @TempDir Path temp;
  private PreparedStore store;

  @BeforeEach
  void prepare() {
    store = PreparedStore.in(temp.resolve("store"));
  }

  @Test
  void backupAndRestore_oneAfterTheOther_giveTheSameJobsBack() {
    CommandRun backup = CommandRun.of("backup", store.path(), path("backup"));
    CommandRun restore = CommandRun.of("restore", path("backup"), path("restored"));

    assertThat(backup.err()).isEmpty();
    assertThat(backup.out()).isEqualToIgnoringNewLines("backed up to " + path("backup"));
    assertThat(backup.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(restore.err()).isEmpty();
    assertThat(restore.out()).matches("restored \\d+ rows, [\\d,]+ bytes, to lmdb:.*restored\\R");
    assertThat(restore.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(verify("restored").isClean()).isTrue();
    assertThat(verify("restored").jobCount()).isEqualTo(4);
  }

  @Test
  void backup_intoAFolderWithFiles_isRefused() throws IOException {
    Files.createDirectory(temp.resolve("mine"));
    Files.writeString(temp.resolve("mine/text"), "text");

    CommandRun run = CommandRun.of("backup", store.path(), path("mine"));

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: folder for a copy is not empty: folder=" + path("mine"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(temp.resolve("mine/text")).hasContent("text");
  }

  @Test
  void backup_storeHeldByAnEngine_namesTheProcess() {
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      assertThat(engine.isFull()).isFalse();

      CommandRun run = CommandRun.of("backup", store.path(), path("backup"));

      assertThat(run.err())
          .startsWith("millrace: locked: ")
          .contains("pid=" + ProcessHandle.current().pid());
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(temp.resolve("backup")).doesNotExist();
    }
  }

  @Test
  void copy_json_tellsWhatWasCopied() {
    CommandRun run = CommandRun.of("copy", store.path(), path("copy"), "--store", "lmdb", "--json");

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("{\"store\":\"lmdb:" + path("copy") + "\",\"storeId\":\"")
        .contains(",\"epoch\":1001,\"rows\":")
        .endsWith(",\"leftOut\":0}" + System.lineSeparator());
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(verify("copy").isClean()).isTrue();
  }

  @Test
  void copy_whereItCannotBe_saysWhy() {
    CommandRun unknown = CommandRun.of("copy", store.path(), path("copy"), "--store", "tape");
    CommandRun memory = CommandRun.of("copy", store.path(), "memory:x");
    CommandRun twoKinds =
        CommandRun.of("copy", store.path(), "lmdb:" + path("copy"), "--store", "memory");
    CommandRun onto = CommandRun.of("copy", store.path(), store.path());
    CommandRun inside = CommandRun.of("copy", store.path(), store.path() + "/more");

    assertThat(unknown.err()).startsWith("millrace: unknown kind of store: tape; known are lmdb");
    assertThat(memory.err())
        .isEqualToIgnoringNewLines(
            "millrace: a memory store lives only inside its process: nothing would be left of it");
    assertThat(twoKinds.err())
        .startsWith("millrace: --store and TO name two kinds: memory and lmdb:");
    assertThat(onto.err())
        .isEqualToIgnoringNewLines(
            "millrace: STORE and TO are the same folder: %s; name an empty or absent folder as TO"
                .formatted(store.path()));
    assertThat(inside.err())
        .isEqualToIgnoringNewLines(
            "millrace: TO is inside the folder of STORE: %s/more; name an empty or absent folder"
                    .formatted(store.path())
                + " elsewhere");
    assertThat(store.folder().resolve("more")).doesNotExist();
    for (CommandRun run : List.of(unknown, memory, twoKinds, onto, inside)) {
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void repair_soundStore_isCopiedAsItIs() {
    CommandRun run = CommandRun.of("repair", store.path(), path("repaired"));

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualToIgnoringNewLines(
            "sound: 3 queues, 4 jobs, 0 findings, 0 rows set aside, in lmdb:" + path("repaired"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(verify("repaired").isClean()).isTrue();
  }

  @Test
  void copyAndRepair_damagedRecord_stopLeaveOutAndSetAside() throws IOException {
    damage("grüße\n");

    CommandRun stopped = CommandRun.of("copy", store.path(), path("copy"));
    CommandRun leftOut =
        CommandRun.of("copy", store.path(), path("copy"), "--leave-out", path("damaged.jsonl"));
    CommandRun repaired = CommandRun.of("repair", store.path(), path("repaired"));

    assertThat(stopped.err())
        .startsWith("millrace: damaged data: stored row is corrupt: keyspace=READY, key=");
    assertThat(stopped.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(leftOut.out()).contains("left out 1 damaged row; 'millrace repair' puts right");
    assertThat(leftOut.exitCode()).isEqualTo(ExitCode.FINDINGS);
    assertThat(Files.readAllLines(temp.resolve("damaged.jsonl")))
        .singleElement()
        .asString()
        .startsWith("{\"keyspace\":\"READY\",\"key\":\"15")
        .contains("\"valueBase64\":\"");
    assertThat(repaired.out().lines().toList())
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("set aside READY 15").contains("checksum");
              assertThat(lines.get(1)).startsWith("rebuilt COUNTERS 04");
              assertThat(lines.get(2))
                  .startsWith("repaired: 3 queues, 3 jobs, 2 findings, 1 row set aside, in lmdb:");
            });
    assertThat(repaired.exitCode()).isEqualTo(ExitCode.FINDINGS);
    assertThat(verify("repaired").problems()).isEmpty();
  }

  @Test
  void deadExport_toStandardOutput_isWholeLettersOnALineEach() {
    CommandRun run = PreparedStore.run("dead export", store, "--queue", "mail");

    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().toList())
        .singleElement()
        .asString()
        .startsWith("{\"id\":\"" + store.dead() + "\",\"queue\":\"mail\",\"tenant\":\"\",")
        .contains("\"attempts\":1,\"maxAttempts\":20,\"enqueuedAt\":\"")
        .contains("\"diedAt\":\"")
        .contains("\"lastError\":\"mailbox is full\\u0007\"")
        .contains("\"headers\":{},\"payloadBytes\":5,\"payloadBase64\":\"Zmlyc3Q=\",")
        .contains("\"history\":[{\"attempt\":1,")
        .endsWith("\"error\":\"mailbox is full\\u0007\"}]}");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void deadExport_toAFile_writesItOnce() throws IOException {
    Path file = temp.resolve("dead.jsonl");

    CommandRun run = PreparedStore.run("dead export", store, "--to", file.toString());
    CommandRun again = PreparedStore.run("dead export", store, "--to", file.toString());

    assertThat(run.out()).isEqualToIgnoringNewLines("exported 2 dead letters");
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(again.err())
        .isEqualToIgnoringNewLines("millrace: file exists already; name another: " + file);
    assertThat(again.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  /** Changes a byte of what is stored with the text. */
  private void damage(String text) throws IOException {
    Path data = temp.resolve("store/data.mdb");
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Files.readAllBytes(data);
    try (RandomAccessFile file = new RandomAccessFile(data.toFile(), "rw")) {
      for (int at = 0; at + wanted.length <= bytes.length; at++) {
        if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
          file.seek(at);
          file.write('x');
        }
      }
    }
  }

  private VerifyReport verify(String name) {
    try (JobReader reader = JobEngine.inspect("lmdb:" + path(name))) {
      return reader.verify();
    }
  }

  private String path(String name) {
    return temp.resolve(name).toString();
  }
}
