package io.millrace.cli.dead;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.engine.JobEngine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class DeadEndToEndTest {

  private final PreparedStore store;

  DeadEndToEndTest(@TempDir Path temp) {
    this.store = PreparedStore.in(temp.resolve("jobs"));
  }

  @Test
  void list_all_showsWhatTheyDiedOf() {
    CommandRun run = run("dead list");

    assertThat(run.out().lines().map(line -> line.replaceAll("  +", "|")))
        .satisfiesExactly(
            heading -> assertThat(heading).startsWith("ID|QUEUE|"),
            first ->
                assertThat(first)
                    .matches(
                        store.dead()
                            + "\\|mail\\|0\\|1/20\\|.*\\|mailbox is full\\\\u0007\\|first"),
            second ->
                assertThat(second)
                    .startsWith(store.deadToo() + "|odd\\n\\u001b[31m|0|1/20|")
                    .endsWith("|no route|second"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void list_filtered_showsThoseThatMatch() {
    assertThat(ids(run("dead list", "--error", "route")))
        .containsExactly(store.deadToo().toString());
    assertThat(ids(run("dead list", "--queue", "mail"))).containsExactly(store.dead().toString());
    assertThat(ids(run("dead list", "--older-than", "1h"))).isEmpty();
    assertThat(run("dead list", "--older-than", "1h").out()).isEqualToIgnoringNewLines("no jobs");
  }

  @Test
  void list_json_isOneJobForEachLine() {
    List<String> lines = run("dead list", "--json").out().lines().toList();

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .startsWith("{\"id\":\"" + store.dead() + "\",\"queue\":\"mail\",")
        .contains("\"lastError\":\"mailbox is full\\u0007\"")
        .endsWith("\"payloadBytes\":5,\"payloadText\":\"first\"}");
  }

  @Test
  void redrive_one_makesItReady() {
    CommandRun run = run("dead redrive", "--job", store.dead().toString());

    assertThat(run.out()).isEqualToIgnoringNewLines("redriven 1 dead letter");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run("inspect", "--job", store.dead().toString()).out())
        .contains("state       ready");
    assertThat(ids(run("dead list"))).containsExactly(store.deadToo().toString());
  }

  @Test
  void redrive_sameOneTwice_isDoneOnce() {
    String dead = store.dead().toString();

    CommandRun run = run("dead redrive", "--job", dead, "--job", dead);

    assertThat(run.out()).isEqualToIgnoringNewLines("redriven 1 dead letter");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void redrive_all_makesThemReady() {
    CommandRun run = run("dead redrive", "--all", "--json");

    assertThat(run.out()).isEqualToIgnoringNewLines("{\"redriven\":2,\"refused\":[]}");
    assertThat(ids(run("dead list"))).isEmpty();
    assertThat(CommandRun.of("verify", store.path()).exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void redrive_keepingOrClearing_decidesOnTheStateOfTheCheckpoint() {
    JobId kept = store.addDeadWithState("page 7");
    JobId keptUnasked = store.addDeadWithState("page 8");
    JobId cleared = store.addDeadWithState("page 9");
    JobId clearedToo = store.addDeadWithState("page 10");

    run("dead redrive", "--job", kept.toString(), "--checkpoint", "keep");
    run("dead redrive", "--job", keptUnasked.toString());
    run("dead redrive", "--job", cleared.toString(), "--checkpoint", "clear");
    CommandRun all = run("dead redrive", "--queue", "mail", "--checkpoint", "CLEAR");

    assertThat(all.out()).isEqualToIgnoringNewLines("redriven 2 dead letters");
    assertThat(details(kept)).contains("checkpoint  6 bytes: page 7");
    assertThat(details(keptUnasked)).contains("checkpoint  6 bytes: page 8");
    for (JobId id : List.of(cleared, clearedToo)) {
      assertThat(details(id)).contains("state       ready").doesNotContain("checkpoint");
    }
  }

  @Test
  void redrive_notDead_isRefusedAndTheOthersAreDone() {
    CommandRun run =
        run("dead redrive", "--job", store.ready().toString(), "--job", store.dead().toString());

    assertThat(run.out()).isEqualToIgnoringNewLines("redriven 1 dead letter");
    assertThat(run.err())
        .isEqualToIgnoringNewLines("millrace: no such dead letter: " + store.ready());
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void delete_oneQueue_leavesTheOthers() {
    CommandRun run = run("dead delete", "--queue", PreparedStore.ODD_QUEUE);

    assertThat(run.out()).isEqualToIgnoringNewLines("deleted 1 dead letter");
    assertThat(ids(run("dead list"))).containsExactly(store.dead().toString());
  }

  @Test
  void delete_oneAndWhatIsGone_saysWhich() {
    String gone = "0".repeat(32);

    CommandRun run = run("dead delete", "--job", store.dead().toString(), "--job", gone, "--json");

    assertThat(run.out())
        .isEqualToIgnoringNewLines("{\"deleted\":1,\"refused\":[\"" + gone + "\"]}");
    assertThat(run.err()).isEqualToIgnoringNewLines("millrace: no such dead letter: " + gone);
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void delete_filtered_leavesTheOthers() {
    CommandRun run = run("dead delete", "--all", "--error", "mailbox");

    assertThat(run.out()).isEqualToIgnoringNewLines("deleted 1 dead letter");
    assertThat(ids(run("dead list"))).containsExactly(store.deadToo().toString());
  }

  @Test
  void redrive_uniqueKeyTakenMeanwhile_saysByWhichJob() {
    JobId dead;
    JobId holder;
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      JobQueue queue = engine.queue("unique");
      EnqueueOptions options = EnqueueOptions.DEFAULT.unique("welcome:ada");
      dead = queue.enqueue(new byte[1], options).jobId();
      for (Lease lease : queue.claim(ClaimOptions.by("w1"))) {
        lease.fail("no route", FailOptions.PERMANENT).orThrow();
      }
      holder = queue.enqueue(new byte[1], options).jobId();
    }

    CommandRun run = run("dead redrive", "--job", dead.toString());

    assertThat(run.out()).isEqualToIgnoringNewLines("redriven 0 dead letters");
    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: job " + holder + " has its unique key, so that it stays dead: " + dead);
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(run("inspect", "--job", dead.toString()).out())
        .contains("unique key  welcome:ada", "state       dead");
  }

  @Test
  void redrive_unknownQueue_saysSo() {
    CommandRun run = run("dead redrive", "--queue", "nope");

    assertThat(run.err()).isEqualToIgnoringNewLines("millrace: no such queue: nope");
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void redrive_noStoreThere_createsNone(@TempDir Path temp) {
    CommandRun run = CommandRun.of("dead", "redrive", temp.toString(), "--all");

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: " + temp + " holds no store: it has no file MILLRACE");
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(temp).isEmptyDirectory();
  }

  private String details(JobId id) {
    return run("inspect", "--job", id.toString()).out();
  }

  private CommandRun run(String command, String... options) {
    return PreparedStore.run(command, store, options);
  }

  private static List<String> ids(CommandRun run) {
    return run.out()
        .lines()
        .map(line -> line.split(" ")[0])
        .filter(first -> first.matches("[0-9a-f]{32}"))
        .toList();
  }
}
