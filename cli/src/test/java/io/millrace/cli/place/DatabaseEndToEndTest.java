package io.millrace.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a store in a database. */
@Tag("slow")
@Timeout(120)
class DatabaseEndToEndTest {

  private static PostgresServer server;

  @TempDir private Path temp;

  @BeforeAll
  static void start() {
    server = PostgresServer.started("shared_buffers=32MB");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String location(String schema) {
    return "postgresql://%s:hidden@127.0.0.1:%d/%s?reconnectSeconds=2&schema=%s"
        .formatted(PostgresServer.USER, server.port(), PostgresServer.DATABASE, schema);
  }

  private static JobEngine open(String schema) {
    return JobEngine.open(
        location(schema), EngineOptions.DEFAULT.management(EngineOptions.Management.OFF));
  }

  private static JobId filled(String schema) {
    try (JobEngine engine = open(schema)) {
      return engine.queue("mail").enqueue(new byte[] {1}, EnqueueOptions.DEFAULT).jobId();
    }
  }

  private static CommandRun done(String... words) {
    CommandRun run = CommandRun.of(words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out() + run.err()).doesNotContain("hidden");
    return run;
  }

  private static CommandRun refused(String... words) {
    CommandRun run = CommandRun.of(words);
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.CANNOT);
    assertThat(run.out() + run.err()).doesNotContain("hidden", "internal error");
    return run;
  }

  @Test
  void store_isReadChangedAndVerified() {
    String job = filled("operated").toString();

    assertThat(done("inspect", location("operated")).out()).contains("mail");
    assertThat(done("explain", location("operated"), job).out()).contains("mail");
    done("queue", "pause", location("operated"), "--queue", "mail");
    assertThat(done("explain", location("operated"), job).out()).contains("paused");
    done("job", "cancel", location("operated"), "--job", job);
    assertThat(done("verify", location("operated")).out()).contains("0 problems");
  }

  @Test
  void store_isReadBesideItsOwner_andChangedByHimAlone() {
    String job = filled("owned").toString();
    try (JobEngine owner = open("owned")) {
      owner.queue("mail").enqueue(new byte[] {2});

      assertThat(done("inspect", location("owned")).out()).contains("mail");
      assertThat(refused("job", "cancel", location("owned"), "--job", job).err())
          .startsWith("millrace: locked: ")
          .contains("pid=" + ProcessHandle.current().pid());
    }
  }

  @Test
  void copy_intoADatabaseAndBack_keepsEachJob() {
    JobId job = filled("origin");
    String folder = temp.resolve("jobs").toString();

    done("copy", location("origin"), "lmdb:" + folder);
    assertThat(done("copy", folder, location("copied")).out()).contains("postgresql://", "***");
    done("verify", location("copied"));

    try (JobEngine copied = open("copied")) {
      assertThat(copied.get(job)).isPresent();
    }
  }

  @Test
  void whatNeedsAFolderOrAnEngine_saysSo() {
    String location = location("needed");

    assertThat(refused("backup", location, temp.resolve("to").toString()).err())
        .contains("pg_dump", "millrace copy");
    assertThat(refused("top", location, "--once").err()).contains("--pid", "millrace://");
    assertThat(refused("copy", temp.toString(), temp + "/to", "--store", "postgresql").err())
        .contains("holds no store");
  }

  @Test
  void locationThatNamesNoDatabase_isTold() {
    for (String wrong :
        new String[] {"postgresql:", "postgresql://", "postgresql://h/d?colour=1"}) {
      assertThat(refused("inspect", wrong).err()).contains("STORE names no database: ");
      assertThat(refused("queue", "pause", wrong, "--queue", "mail").err())
          .contains("STORE names no database: ");
    }
  }

  @Test
  void storeThatIsNotThere_isTold() {
    assertThat(refused("inspect", location("nothing")).err()).contains("nothing");
    assertThat(
            refused("inspect", "postgresql://test@127.0.0.1:1/postgres?reconnectSeconds=1").err())
        .contains("127.0.0.1:1");
  }
}
