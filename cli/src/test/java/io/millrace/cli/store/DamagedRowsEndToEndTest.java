package io.millrace.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FailOptions;
import io.millrace.api.JobQueue;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged row is told beside all the others, which are shown. */
@Tag("slow")
final class DamagedRowsEndToEndTest {

  private static final int JOB_COUNT = 60;

  @TempDir Path temp;
  private Path store;

  @BeforeEach
  void prepare() {
    store = temp.resolve("jobs");
    try (JobEngine engine = JobEngine.open("lmdb:" + store)) {
      JobQueue queue = engine.queue("mail");
      for (int i = 0; i < JOB_COUNT; i++) {
        queue.enqueue(text("dead", i));
        queue
            .claim("w", Duration.ofMinutes(1))
            .orElseThrow()
            .fail("no route", FailOptions.PERMANENT)
            .orThrow();
      }
      for (int i = 0; i < JOB_COUNT; i++) {
        queue.enqueue(text("ready", i));
      }
    }
  }

  @Test
  void inspect_damagedJobs_allOthersAreListed() throws IOException {
    damage("ready-0-");
    damage("ready-21-");
    damage("ready-22-");
    damage("ready-59-");

    CommandRun table = CommandRun.of("inspect", store + "", "--state", "ready", "--limit", "0");
    CommandRun ofQueue =
        CommandRun.of(
            "inspect", store + "", "--state", "ready", "--queue", "mail", "--limit", "0", "--json");
    CommandRun queues = CommandRun.of("inspect", store.toString());

    assertThat(table.out().lines()).hasSize(1 + JOB_COUNT - 4);
    assertThat(table.out()).contains("ready-1-", "ready-20-", "ready-23-", "ready-58-");
    assertThat(ofQueue.out().lines()).hasSize(JOB_COUNT - 4);
    for (CommandRun run : new CommandRun[] {table, ofQueue}) {
      assertThat(run.err().lines())
          .hasSize(4)
          .allMatch(
              line ->
                  line.startsWith(
                      "millrace: job cannot be read: mail: stored row is corrupt: keyspace=READY,"
                          + " key="))
          .noneMatch(line -> line.contains("cursor"));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
    }
    assertThat(queues.out()).contains("mail");
    assertThat(queues.err()).startsWith("millrace: queue cannot be read: mail: stored row is");
  }

  @Test
  void deadLetters_damagedOnes_allOthersAreListedAndExported() throws IOException {
    damage("dead-7-");
    damage("dead-40-");
    Path file = temp.resolve("dead.jsonl");

    CommandRun listed = CommandRun.of("dead", "list", store + "", "--limit", "0");
    CommandRun exported = CommandRun.of("dead", "export", store + "", "--to", file.toString());

    assertThat(listed.out().lines()).hasSize(1 + JOB_COUNT - 2);
    assertThat(exported.out()).isEqualToIgnoringNewLines("exported 58 dead letters");
    assertThat(Files.readAllLines(file)).hasSize(JOB_COUNT - 2);
    for (CommandRun run : new CommandRun[] {listed, exported}) {
      assertThat(run.err().lines()).hasSize(2).allMatch(line -> line.contains("keyspace=DEAD"));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FINDINGS);
    }
  }

  private static byte[] text(String state, int number) {
    return (state + "-" + number + "-").getBytes(StandardCharsets.UTF_8);
  }

  /** Changes a byte wherever the store has the text. */
  private void damage(String text) throws IOException {
    Path data = store.resolve("data.mdb");
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
}
