package io.millrace.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that has lost commits is refused with the option that accepts it, and read with that. */
@Tag("slow")
final class LostCommitsEndToEndTest {

  private static final String ACCEPT = "--accept-lost-commits";

  @TempDir Path temp;
  private PreparedStore store;

  @BeforeEach
  void prepare() throws IOException {
    store = PreparedStore.in(temp.resolve("jobs"));
    Path data = store.folder().resolve("data.mdb");
    byte[] before = Files.readAllBytes(data);
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      engine.queue("mail").enqueue(new byte[1]);
    }
    Files.write(data, before);
    // They have the lost commits, too.
    for (int number = 0; number < 3; number++) {
      Files.delete(store.folder().resolve("log/log-" + number));
    }
  }

  @Test
  void commands_storeHoldsLessThanWasDurable_nameTheOption() {
    for (String command : new String[] {"inspect", "verify", "dead list"}) {
      CommandRun run = PreparedStore.run(command, store);

      assertThat(run.err())
          .startsWith(
              "millrace: store holds less than was once durable; restore a backup, or give"
                  + " --accept-lost-commits to go on without the lost commits: folder=");
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void commands_lostCommitsAreAccepted_goOnWithWhatIsThere() {
    CommandRun verified = PreparedStore.run("verify", store, ACCEPT);
    CommandRun copied = PreparedStore.run("copy", store, temp.resolve("copy").toString(), ACCEPT);
    CommandRun backup = PreparedStore.run("backup", store, temp.resolve("b").toString(), ACCEPT);
    CommandRun repaired = PreparedStore.run("repair", store, temp.resolve("r").toString(), ACCEPT);
    CommandRun stillRefused = PreparedStore.run("verify", store);
    CommandRun redriven = PreparedStore.run("dead redrive", store, "--all", ACCEPT);
    CommandRun afterwards = PreparedStore.run("verify", store);

    assertThat(verified.out()).startsWith("ok: 3 queues, 4 jobs, ");
    assertThat(copied.exitCode()).as(copied.err()).isEqualTo(ExitCode.OK);
    assertThat(backup.exitCode()).as(backup.err()).isEqualTo(ExitCode.OK);
    assertThat(repaired.exitCode()).as(repaired.err()).isEqualTo(ExitCode.OK);
    assertThat(stillRefused.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(redriven.out()).isEqualToIgnoringNewLines("redriven 2 dead letters");
    assertThat(afterwards.out()).startsWith("ok: 3 queues, 4 jobs, ");
  }

  @Test
  void verify_watermarkIsGone_isReadWithTheOption() throws IOException {
    Path watermark = store.folder().resolve("WATERMARK");
    Files.delete(watermark);

    CommandRun refused = PreparedStore.run("verify", store);
    CommandRun accepted = PreparedStore.run("verify", store, ACCEPT);

    assertThat(refused.err())
        .startsWith(
            "millrace: store's watermark is missing or damaged, so lost commits cannot be told;"
                + " give --accept-lost-commits to go on: folder=");
    assertThat(accepted.out()).startsWith("ok: 3 queues, 4 jobs, ");
    assertThat(watermark).doesNotExist();
  }
}
