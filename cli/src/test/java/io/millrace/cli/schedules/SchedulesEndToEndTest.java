package io.millrace.cli.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.ChildWorkers;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.engine.JobEngine;
import io.millrace.tables.ReservedTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schedules of a store that nobody has open, and those of a process that runs. */
@Tag("thorough")
final class SchedulesEndToEndTest {

  private static final String INSTANT = "20\\d\\d-\\d\\d-\\d\\dT03:00:00Z";

  @TempDir Path folder;

  /** Who has the store open. */
  enum Holder {
    NOBODY,
    A_PROCESS
  }

  @ParameterizedTest
  @EnumSource
  void schedules_ofEachHolder_areListedPausedResumedAndRun(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "",
            "next --name nightly --count 2",
            "pause --name nightly",
            "",
            "next --name nightly",
            "resume --name nightly --json",
            "--json",
            "run --name nightly",
            "run --name none",
            "next --name none");

    assertThat(rows(runs.get(0)))
        .hasSize(3)
        .contains("SCHEDULE TIMES QUEUE NEXT LAST OWNER")
        .anyMatch(
            row ->
                row.matches("nightly cron \"0 3 \\* \\* \\*\" in Z bill " + INSTANT + " - reports"))
        .anyMatch(row -> row.startsWith("odd\\n every PT72000H bill 20"));
    assertThat(runs.get(1).out().lines())
        .hasSize(2)
        .isSorted()
        .allMatch(line -> line.matches(INSTANT));
    assertThat(runs.get(2).out()).isEqualToIgnoringNewLines("paused nightly");
    assertThat(rows(runs.get(3))).anyMatch(row -> row.endsWith(" bill paused - reports"));
    assertThat(runs.get(4).out()).isEqualToIgnoringNewLines("paused");
    assertThat(runs.get(5).out())
        .isEqualToIgnoringNewLines("{\"schedule\":\"nightly\",\"paused\":false}");
    assertThat(runs.get(6).out())
        .startsWith("{\"schedule\":\"nightly\",\"times\":\"cron ")
        .contains("\"missed\":\"RUN_ONCE\",\"overlap\":\"ALLOW\",\"jitterMs\":0,\"queue\":\"bill\"")
        .contains("T03:00:00Z");
    assertThat(runs.get(7).out()).matches("made job [0-9a-f]{32} of nightly\\R");
    for (CommandRun run : runs.subList(8, 10)) {
      assertThat(run.err()).isEqualToIgnoringNewLines("millrace: no such schedule: none");
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void schedule_thatCannotBeRead_isToldAndLeftAlone() {
    try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
      engine.table(ReservedTables.SCHEDULES, Codec.TEXT, Codec.BYTES).put("later", new byte[] {9});
    }

    CommandRun all = CommandRun.of("schedules", folder.toString());

    assertThat(rows(all)).anyMatch(row -> row.startsWith("later cannot be carried out: "));
    for (String command : List.of("next", "resume", "run")) {
      CommandRun run = CommandRun.of("schedules", command, folder.toString(), "--name", "later");
      assertThat(run.err()).startsWith("millrace: schedule cannot be read here: name=later");
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
    assertThat(CommandRun.of("schedules", folder.toString()).out()).isEqualTo(all.out());
  }

  @Test
  void schedules_ofAStoreWithout_areNone() {
    JobEngine.open("lmdb:" + folder).close();

    assertThat(CommandRun.of("schedules", folder.toString()).out())
        .isEqualToIgnoringNewLines("no schedules");
  }

  private static List<String> rows(CommandRun run) {
    return run.out().lines().map(line -> line.replaceAll(" +", " ").strip()).toList();
  }

  private List<CommandRun> run(Holder holder, String... commands) throws IOException {
    if (holder == Holder.A_PROCESS) {
      try (ChildEngine child = ChildWorkers.start()) {
        return all(commands, "--pid", Long.toString(child.pid()), "--worker", "idle");
      }
    }
    try (JobEngine engine = JobEngine.open("lmdb:" + folder)) {
      ChildWorkers.declareSchedules(engine);
    }
    return all(commands, folder.toString());
  }

  private static List<CommandRun> all(String[] commands, String... place) {
    List<CommandRun> runs = new ArrayList<>();
    for (String command : commands) {
      List<String> words = new ArrayList<>(List.of("schedules"));
      Arrays.stream(command.split(" ")).filter(word -> !word.isEmpty()).forEach(words::add);
      words.addAll(List.of(place));
      runs.add(CommandRun.of(words.toArray(String[]::new)));
    }
    return runs;
  }
}
