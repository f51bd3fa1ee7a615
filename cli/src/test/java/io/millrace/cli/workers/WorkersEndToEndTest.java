package io.millrace.cli.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.ChildWorkers;
import io.millrace.cli.fixture.CommandRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that ask the workers of another process. */
@Tag("thorough")
final class WorkersEndToEndTest {

  private static final Pattern ID = Pattern.compile("\"job\":\"([0-9a-f]{32})\"");

  private ChildEngine child;

  @BeforeEach
  void start() throws IOException {
    child = ChildWorkers.start();
  }

  @AfterEach
  void end() throws IOException {
    child.close();
  }

  @Test
  void workers_ofAProcess_areListedWithWhatTheyRun() {
    String id = jobId();

    CommandRun all = workers("");
    CommandRun one = workers("", "--worker", "mail", "--instance", "2");

    List<String> lines = all.out().lines().map(WorkersEndToEndTest::withoutAge).toList();
    assertThat(lines)
        .containsExactly(
            "WORKER STATE CONCURRENCY BUSY JOBS",
            "idle running 2 0 0",
            "mail running 4 1 1",
            "mail (2) running 1 0 0",
            "",
            "WORKER JOB QUEUE TYPE ATTEMPT FOR PROGRESS THREAD TEXT",
            "mail " + id + " mail mail 1 AGE 50 % mail-1 half of Ada");
    assertThat(all.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(one.out().lines().map(WorkersEndToEndTest::withoutAge))
        .containsExactly("WORKER STATE CONCURRENCY BUSY JOBS", "mail (2) running 1 0 0");
  }

  @Test
  void workers_withStacks_showWhatTheThreadsDo() {
    String id = jobId();

    CommandRun stacks = workers("", "--stacks");
    CommandRun json = workers("", "--stacks", "--json", "--worker", "mail", "--instance", "1");

    assertThat(stacks.out())
        .contains(id + " on mail-1:" + System.lineSeparator() + "  at ")
        .contains("ChildWorkers.waitInVain");
    assertThat(json.out())
        .startsWith(
            ("{\"worker\":\"mail\",\"instance\":1,\"state\":\"running\",\"concurrency\":4,"
                    + "\"busy\":1,"
                    + "\"jobs\":1,\"running\":[{\"job\":\"%s\",\"queue\":\"mail\",\"tenant\":\"\","
                    + "\"type\":\"mail\",\"attempt\":1,\"since\":\"20")
                .formatted(id))
        .contains(
            "\"progress\":0.5,\"text\":\"half of Ada\",\"thread\":\"mail-1\",\"stack\":[\"",
            "ChildWorkers.waitInVain");
  }

  @Test
  void pauseResumeAndConcurrency_ofOneWorker_leaveTheOthersAlone() {
    CommandRun paused = workers("pause", "--worker", "idle");
    CommandRun wider = workers("concurrency", "--worker", "idle", "7");
    CommandRun json = workers("pause", "--worker", "mail", "--instance", "2", "--json");

    assertThat(paused.out()).isEqualToIgnoringNewLines("paused idle");
    assertThat(wider.out()).isEqualToIgnoringNewLines("concurrency of idle is 7");
    assertThat(json.out())
        .isEqualToIgnoringNewLines("{\"worker\":\"mail\",\"instance\":2,\"paused\":true}");
    assertThat(workers("").out().lines().map(WorkersEndToEndTest::withoutAge))
        .contains("idle paused 7 0 0", "mail running 4 1 1", "mail (2) paused 1 0 0");

    CommandRun resumed = workers("resume", "--worker", "idle");

    assertThat(resumed.out()).isEqualToIgnoringNewLines("resumed idle");
    assertThat(workers("", "--worker", "idle").out()).contains("idle    running");
  }

  @Test
  void cancel_runningJobNamedTwice_isDoneOnceByTheWorkerThatRunsIt() {
    String id = jobId();

    CommandRun cancelled = workers("cancel", "--job", id, "--job", id);
    CommandRun again = workers("cancel", "--job", "0".repeat(32));
    CommandRun elsewhere = workers("cancel", "--worker", "idle", "--job", id);

    assertThat(cancelled.out()).isEqualToIgnoringNewLines(id + " REQUESTED at mail");
    assertThat(cancelled.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(again.err())
        .isEqualToIgnoringNewLines("millrace: no worker that is meant runs it: " + "0".repeat(32));
    assertThat(again.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(elsewhere.exitCode()).isEqualTo(ExitCode.CANNOT);
    while (workers("", "--json").out().contains(id)) {
      // The handler ends within moments.
      Thread.onSpinWait();
    }
  }

  @Test
  void stop_worker_tellsHowItWentAndIsSeenNoMore() {
    CommandRun stopped = workers("stop", "--grace", "0", "--worker", "mail", "--instance", "1");
    CommandRun idle = workers("stop", "--worker", "idle", "--json");
    CommandRun last = workers("stop");

    assertThat(stopped.out())
        .isEqualToIgnoringNewLines("stopped mail: 0 jobs finished, 1 interrupted, 1 handed back");
    assertThat(idle.out())
        .isEqualToIgnoringNewLines(
            "{\"worker\":\"idle\",\"instance\":1,\"finished\":0,\"interrupted\":0,\"released\":0}");
    assertThat(last.out())
        .isEqualToIgnoringNewLines(
            "stopped mail (2): 0 jobs finished, 0 interrupted, 0 handed back");
    assertThat(workers("").err())
        .isEqualToIgnoringNewLines(
            "millrace: no Millrace worker runs in the process: pid=" + child.pid());
  }

  private String jobId() {
    Matcher id = ID.matcher(workers("", "--json").out());
    assertThat(id.find()).isTrue();
    return id.group(1);
  }

  private CommandRun workers(String command, String... options) {
    List<String> words = new ArrayList<>(List.of("workers"));
    if (!command.isEmpty()) {
      words.add(command);
    }
    words.addAll(List.of("--pid", Long.toString(child.pid())));
    words.addAll(List.of(options));
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** A line of a table with single gaps; how long a job runs is left out. */
  private static String withoutAge(String line) {
    return line.replaceAll(" 1 +[0-9.]+ s +(\\d+ %)", " 1 AGE $1").replaceAll(" +", " ").strip();
  }
}
