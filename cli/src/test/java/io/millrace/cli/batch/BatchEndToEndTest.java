package io.millrace.cli.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands for batches, which see and do the same in a folder and by a running engine. */
@Tag("thorough")
final class BatchEndToEndTest {

  private final PreparedStore store;

  BatchEndToEndTest(@TempDir Path temp) {
    this.store = PreparedStore.in(temp.resolve("jobs"));
  }

  /** The holder of the store. */
  enum Holder {
    NOBODY,
    ENGINE
  }

  @ParameterizedTest
  @EnumSource
  void batch_shownAndCancelled_tellsWhatBecameOfItsJobs(Holder holder) throws IOException {
    BatchId id = store.addBatch("import\u001b");

    List<CommandRun> runs =
        run(
            holder,
            "batch list",
            "batch show --batch " + id,
            "batch show --json --batch " + id,
            "batch cancel --batch " + id,
            "batch list --json",
            "batch cancel --json --batch " + id);

    assertThat(runs.get(0).out().lines().map(line -> line.replaceAll(" +", " ")))
        .hasSize(2)
        .first()
        .isEqualTo("ID NAME STATE TOTAL LEFT RUNNING SUCCEEDED DEAD AGE");
    assertThat(runs.get(0).out()).contains(id + "  import").contains("sealed");
    assertThat(runs.get(1).out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains("BATCH " + id, "total 2", "left 2", "succeeded 0", "ended -", "kept for 7 d");
    assertThat(runs.get(2).out())
        .startsWith("{\"id\":\"" + id + "\",\"name\":\"import")
        .contains("\"isSealed\":true,\"isCancelled\":false,\"left\":2,\"running\":0")
        .endsWith(",\"total\":2}" + System.lineSeparator());
    assertThat(runs.get(3).out())
        .isEqualToIgnoringNewLines("cancelled " + id + ": 2 jobs CANCELLED");
    assertThat(runs.get(4).out())
        .contains("\"isCancelled\":true,\"left\":0", "\"cancelled\":2", "\"endedAt\":");
    assertThat(runs.get(5).out()).isEqualToIgnoringNewLines("{\"batch\":\"" + id + "\"}");
    assertThat(runs).extracting(CommandRun::exitCode).containsOnly(ExitCode.OK);
  }

  @ParameterizedTest
  @EnumSource
  void inspect_jobsOfABatch_areFoundAndTheOneAfterItIsExplained(Holder holder) throws IOException {
    BatchId id = store.addBatch("import");

    List<CommandRun> runs =
        run(
            holder,
            "inspect --json --batch " + id,
            "inspect --json --queue whole --state waiting",
            "inspect --queue whole --state waiting");

    assertThat(runs.get(0).out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("\"queue\":\"parts\""))
        .allMatch(line -> line.contains("\"batch\":\"" + id + "\""));
    assertThat(runs.get(1).out()).contains("\"waitsForBatch\":\"" + id + "\"");
    assertThat(runs.get(2).out()).contains("waiting for batch " + id);
  }

  @Test
  void await_batchThatWasCancelled_showsItAndEndsWithOne() throws IOException {
    BatchId id = store.addBatch("import");

    List<CommandRun> runs =
        run(Holder.ENGINE, "batch cancel --batch " + id, "batch await --json --batch " + id);

    assertThat(runs.get(1).out()).contains("\"cancelled\":2").contains("\"endedAt\":");
    assertThat(runs.get(1).exitCode()).isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void list_storeWithoutBatches_saysSo() throws IOException {
    assertThat(run(Holder.NOBODY, "batch list").get(0).out())
        .isEqualToIgnoringNewLines("no batches");
  }

  private List<CommandRun> run(Holder holder, String... commands) throws IOException {
    List<CommandRun> runs = new ArrayList<>();
    if (holder == Holder.NOBODY) {
      for (String command : commands) {
        runs.add(run(command, store.path()));
      }
      return runs;
    }
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      for (String command : commands) {
        runs.add(run(command, "--pid", Long.toString(child.pid())));
      }
    }
    return runs;
  }

  private static CommandRun run(String command, String... where) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(words.get(0).equals("inspect") ? 1 : 2, List.of(where));
    return CommandRun.of(words.toArray(String[]::new));
  }
}
