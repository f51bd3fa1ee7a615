package io.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.cli.fixture.RunningConsole;
import io.millrace.cli.fixture.RunningConsole.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console of what is not there, or is no longer. */
@Tag("thorough")
@Timeout(120)
final class ConsoleOfLostProcessEndToEndTest {

  private static final List<String> PAGES =
      List.of(
          "/",
          "/queues",
          "/queue?queueName=mail",
          "/jobs",
          "/jobs/" + "0".repeat(32),
          "/dead",
          "/running",
          "/schedules",
          "/batches",
          "/keys",
          "/tables",
          "/store",
          "/verify");

  @Test
  void pages_processIsKilledMeanwhile_sayThatItHasEndedAndKeepSayingSo(@TempDir Path temp)
      throws Exception {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs"));
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path());
        RunningConsole console = RunningConsole.start("--pid", Long.toString(child.pid()))) {
      assertThat(console.get("/queues").text()).contains("mail");
      String ended = "the process has ended, or does not answer any more: pid=" + child.pid();

      ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
      ProcessHandle.of(child.pid()).ifPresent(process -> process.onExit().join());

      for (int time = 0; time < 2; time++) {
        for (String path : PAGES) {
          Answer page = console.get(path);
          assertThat(page.text()).as(path).contains(ended).doesNotContain("\tat ", "Exception");
          assertThat(page.status()).as(path).isEqualTo(503);
        }
      }
      assertThat(console.get("/api/v1/jobs").text()).isEqualTo("{\"error\":\"" + ended + "\"}");
      assertThat(console.act("queue.pause", "queueName=mail").text()).contains(ended);
      assertThat(console.get("/tasks").status()).isEqualTo(200);
      console.act("jobs.delete", "state=dead");
      String task = console.get("/api/v1/tasks/1").text();
      while (!task.contains("\"stage\":\"failed\"")) { // the test's time limit ends it
        task = console.get("/api/v1/tasks/1").text();
      }
      assertThat(task).contains(ended);
    }
  }

  @Test
  void pages_engineWithoutWorkers_sayWhatCannotBeSeen() throws IOException, InterruptedException {
    try (ChildEngine child = ChildEngine.start("memory:alone");
        RunningConsole console = RunningConsole.start("--pid", Long.toString(child.pid()))) {
      Answer schedules = console.get("/schedules");
      Answer running = console.get("/running");

      assertThat(schedules.status()).isEqualTo(503);
      assertThat(schedules.text())
          .contains(
              "the schedules of another process are seen through a worker of their engine, and none"
                  + " runs there: pid="
                  + child.pid());
      assertThat(console.act("schedule.run", "schedule=any").status()).isEqualTo(503);
      assertThat(running.text()).contains("No worker is known here");
    }
  }

  @Test
  void folder_ofNoEngine_isShownAndNotChanged(@TempDir Path temp)
      throws IOException, InterruptedException {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs".repeat(50)));
    try (RunningConsole console = RunningConsole.start(store.path())) {
      assertThat(console.get("/queues").text()).contains("mail", "read only");
      assertThat(console.act("queue.pause", "queueName=mail").status()).isEqualTo(409);
    }
  }
}
