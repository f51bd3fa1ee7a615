package io.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.RunningConsole.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The changes that the console asks an engine in another process for. */
@Tag("thorough")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleChangesProcessEndToEndTest {

  private Path folder = Path.of("");
  private Optional<ShopConsole> shop = Optional.empty();

  @BeforeAll
  void start(@TempDir Path temp) throws IOException {
    folder = temp;
    shop = Optional.of(new ShopConsole(temp));
  }

  @AfterAll
  void end() throws IOException {
    shop.orElseThrow().close();
  }

  private String get(String path) throws IOException, InterruptedException {
    return shop.orElseThrow().get(path);
  }

  /** Actions, the parameters, and what comes of them; of the same queue in this order. */
  @Test
  void actions_all_areDoneByTheEngine() throws Exception {
    String backup = folder.resolve("backup").toString();
    List<List<String>> steps =
        List.of(
            List.of("job.cancel", "id={cancel}", "CANCELLED"),
            List.of("job.cancel", "id={mail}", "REQUESTED"),
            List.of("job.release", "id={release}", "RELEASED"),
            List.of("job.redrive", "id={redrive}", "REDRIVEN"),
            List.of("job.delete", "id={delete}", "DELETED"),
            List.of("job.reschedule", "id={later}&at=2090-01-31T12:00:00Z", "RESCHEDULED"),
            List.of("job.update", "id={update}&priority=7&payload=new", "UPDATED"),
            List.of("job.fail-stuck", "id={stuck}&error=given+up", "FAILED"),
            List.of("job.signal", "id={signal}&signal=approval&payload=yes", "WOKEN"),
            List.of("queue.pause", "queueName=plain", "DONE"),
            List.of("queue.resume", "queueName=plain", "DONE"),
            List.of("queue.drain", "queueName=drop", "DONE"),
            List.of("queue.end-drain", "queueName=drop", "DONE"),
            List.of("queue.configure", "queueName=drop&key=maxAttempts&value=7", "CONFIGURED"),
            List.of("queue.purge", "queueName=purge&state=ready", "PURGED 1"),
            List.of("batch.cancel", "batch={batch}", "JOBS {CANCELLED=1}"),
            List.of("schedule.pause", "schedule=nightly", "PAUSED"),
            List.of("schedule.resume", "schedule=nightly", "RESUMED"),
            List.of("engine.backup", "folder=" + backup, "BACKED UP"),
            List.of("engine.reopen", "", "REOPENED"));

    for (List<String> step : steps) {
      Answer answer =
          shop.orElseThrow().console().act(step.get(0), shop.orElseThrow().filled(step.get(1)));
      assertThat(answer.text())
          .as(step.toString())
          .isEqualTo("{\"outcome\":\"%s\",\"isDone\":true}".formatted(step.get(2)));
      assertThat(answer.status()).isEqualTo(200);
    }

    assertThat(get("/api/v1/queue?queueName=drop")).contains("\"maxAttempts\":\"7\"");
    assertThat(get("/jobs/{update}")).contains("new");
    assertThat(get("/api/v1/jobs/{stuck}")).contains("\"state\":\"dead\"", "given up");
    assertThat(get("/api/v1/jobs/{later}")).contains("2090-01-31T12:00:00Z");
    assertThat(CommandRun.of("verify", backup).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(shop.orElseThrow().console().act("schedule.run", "schedule=nightly").text())
        .contains("\"outcome\":\"JOB ");
    assertThat(shop.orElseThrow().console().act("queue.delete", "queueName=drop").text())
        .contains("DELETED");
  }

  @Test
  void actionsOnMany_goOnAsTasks() throws Exception {
    for (List<String> step :
        List.of(
            List.of("jobs.cancel", "cancel-many", "\"CANCELLED\":2"),
            List.of("jobs.release", "release-many&state=leased", "\"RELEASED\":1"),
            List.of("jobs.redrive", "redrive-many&state=dead", "\"REDRIVEN\":2"),
            List.of("jobs.delete", "delete-many&state=dead", "\"DELETED\":1"))) {
      Answer begun = shop.orElseThrow().console().act(step.get(0), "queueName=" + step.get(1));
      assertThat(begun.text()).contains("\"outcome\":\"TASK ");
      String task = begun.text().replaceAll("\\D", "");
      String told = get("/api/v1/tasks/" + task);
      while (!told.contains("\"stage\":\"done\"")) { // the test's time limit ends it
        told = get("/api/v1/tasks/" + task);
      }
      assertThat(told).contains(step.get(2));
    }
  }

  @Test
  void actions_thatCannotBeDone_sayWhy() throws Exception {
    String none = "0".repeat(32);

    Answer gone = shop.orElseThrow().console().act("job.redrive", "id=" + none);
    Answer notDead =
        shop.orElseThrow().console().act("job.redrive", shop.orElseThrow().filled("id={plain}"));
    Answer deleted = shop.orElseThrow().console().act("job.delete", "id=" + none);
    Answer setting =
        shop.orElseThrow().console().act("queue.configure", "queueName=plain&key=colour&value=red");
    Answer folderInUse = shop.orElseThrow().console().act("engine.backup", "folder=" + folder);
    Answer schedule = shop.orElseThrow().console().act("schedule.run", "schedule=none");

    assertThat(gone.status()).isEqualTo(409);
    assertThat(gone.text()).contains("\"GONE\"");
    assertThat(notDead.text()).contains("\"NOT_DEAD\"");
    assertThat(deleted.text()).contains("\"GONE\"");
    assertThat(setting.status()).isEqualTo(400);
    assertThat(setting.text()).contains("colour");
    assertThat(folderInUse.status()).isEqualTo(503);
    assertThat(folderInUse.text()).contains("folder for a copy is not empty");
    assertThat(schedule.text()).contains("NOT THERE");
  }
}
