package io.millrace.cli.place;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.WaitResult;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator does to queues and jobs: in a folder, and by an engine that holds it, alike. */
@Tag("thorough")
final class OperatorEndToEndTest {

  private final Path temp;
  private final PreparedStore store;

  OperatorEndToEndTest(@TempDir Path temp) {
    this.temp = temp;
    this.store = PreparedStore.in(temp.resolve("jobs"));
  }

  /** Who holds the store. */
  enum Holder {
    NOBODY,
    ENGINE
  }

  @ParameterizedTest
  @EnumSource
  void queue_leaseEndedThatNobodyHas_saysSo(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "queue end-lease --queue mail",
            "queue end-lease --queue nowhere --tenant acme --json");

    assertThat(runs.get(0).out()).isEqualToIgnoringNewLines("nobody had leased mail");
    assertThat(runs.get(1).out())
        .isEqualToIgnoringNewLines("{\"queue\":\"nowhere\",\"tenant\":\"acme\",\"ended\":false}");
    assertThat(runs).extracting(CommandRun::exitCode).containsOnly(ExitCode.OK);
  }

  @ParameterizedTest
  @EnumSource
  void queue_pausedAndResumed_tellsHowItIsServed(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "queue pause --queue mail",
            "inspect --queue mail --json",
            "queue resume --queue mail --json",
            "inspect --queue mail --json");

    assertThat(runs.get(0).out()).isEqualToIgnoringNewLines("paused mail");
    assertThat(runs.get(1).out()).contains("\"serving\":\"paused\"");
    assertThat(runs.get(2).out())
        .isEqualToIgnoringNewLines("{\"queue\":\"mail\",\"tenant\":\"\",\"paused\":false}");
    assertThat(runs.get(3).out()).contains("\"serving\":\"on\"");
    assertThat(runs).extracting(CommandRun::exitCode).containsOnly(ExitCode.OK);
  }

  @ParameterizedTest
  @EnumSource
  void queue_drainedPurgedAndDeleted_isEmptyAndThenGone(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "queue drain --queue mail",
            "queue drain --queue mail --wait 0s",
            "queue drain --queue mail --end --json",
            "queue purge --queue mail --state ready --state delayed",
            "queue purge --queue mail --state dead --json",
            "queue drain --queue mail --wait 10s",
            "queue delete --queue mail",
            "queue delete --queue mail");

    assertThat(runs.get(0).out()).isEqualToIgnoringNewLines("draining, jobs are left: mail");
    assertThat(runs.get(1).err())
        .isEqualToIgnoringNewLines(
            "millrace: queue is not empty yet, and goes on refusing new jobs: mail");
    assertThat(runs.get(1).exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(runs.get(2).out())
        .isEqualToIgnoringNewLines("{\"queue\":\"mail\",\"tenant\":\"\",\"drain\":\"ENDED\"}");
    assertThat(runs.get(3).out()).isEqualToIgnoringNewLines("purged 1 job of mail");
    assertThat(runs.get(4).out())
        .isEqualToIgnoringNewLines("{\"queue\":\"mail\",\"tenant\":\"\",\"purged\":1}");
    assertThat(runs.get(5).out()).isEqualToIgnoringNewLines("drained, nothing is left: mail");
    assertThat(runs.get(6).out()).isEqualToIgnoringNewLines("deleted mail");
    assertThat(runs.get(7).err())
        .isEqualToIgnoringNewLines(
            "millrace: no such queue: mail; of this name there is mail@acme");
    assertThat(runs.get(7).exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @ParameterizedTest
  @EnumSource
  void queue_broadcast_wakesWhoWaitsAndIsElseKept(Holder holder) throws IOException {
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      JobQueue prices = engine.queue("prices");
      prices.enqueue(new byte[] {1});
      Lease lease = prices.claim(ClaimOptions.by("worker")).get(0);
      assertThat(lease.waitFor("new")).isEqualTo(WaitResult.WAITING);
    }
    List<CommandRun> runs =
        run(
            holder,
            "queue broadcast --queue prices --signal new --payload 17",
            "queue broadcast --queue prices --signal new",
            "queue broadcast --queue prices --signal new --json",
            "queue broadcast --queue nowhere --signal new");

    assertThat(runs.get(0).out()).isEqualToIgnoringNewLines("woke 1 job of prices");
    assertThat(runs.get(1).out())
        .isEqualToIgnoringNewLines("nobody waits, kept for the first who does: prices");
    assertThat(runs.get(2).out())
        .isEqualToIgnoringNewLines("{\"queue\":\"prices\",\"tenant\":\"\",\"woken\":0}");
    assertThat(runs.get(3).err()).isEqualToIgnoringNewLines("millrace: no such queue: nowhere");
    assertThat(runs.get(3).exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @ParameterizedTest
  @EnumSource
  void queue_configured_tellsWhatHoldsAndWhatIsInherited(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "queue configure --queue mail --all-tenants --set leaseDuration=PT2M --json",
            "queue configure --queue mail --tenant acme --set depthMax=7 --set maxAttempts=3",
            "queue settings --queue mail --tenant acme",
            "queue configure --queue mail --tenant acme --set depthMax=inherit --json",
            "queue settings --queue mail --all-tenants");

    assertThat(runs.get(0).out())
        .startsWith("{\"queue\":\"mail\",\"leaseDuration\":\"PT2M\",\"depthMax\":\"none\",")
        .contains("\"inherited\":[\"depthMax\",\"expiry\",\"maxAttempts\",");
    assertThat(runs.get(1).out().lines())
        .containsExactly(
            "leaseDuration   PT2M (inherited)",
            "depthMax        7",
            "expiry          READY_AT_ONCE (inherited)",
            "maxAttempts     3",
            "backoff         exponential initial=PT1S multiplier=2.0 max=PT1H jitter=0.2",
            "resultRetention none (inherited)",
            "deadRetention   none (inherited)",
            "perKey          1 (inherited)",
            "keyOrder        PASSING (inherited)",
            "rateLimit       none (inherited)",
            "rateLimitPerKey none (inherited)",
            "share           1 (inherited)");
    assertThat(runs.get(2).out()).isEqualTo(runs.get(1).out());
    assertThat(runs.get(3).out()).contains("\"tenant\":\"acme\"", "\"depthMax\":\"none\"");
    assertThat(runs.get(4).out())
        .startsWith("leaseDuration   PT2M")
        .doesNotContain("PT2M (inherited)");
    assertThat(runs).extracting(CommandRun::exitCode).containsOnly(ExitCode.OK);
  }

  @ParameterizedTest
  @EnumSource
  void job_ofAllThatMeetAFilter_isCountedAndThenDone(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "job cancel --where queueName=mail --where states=READY,DELAYED",
            "job cancel --where queueName=mail --where states=DEAD --json",
            "inspect --jobs --json",
            "job update --set priority=3 --where queueName=mail --where states=READY,DELAYED --yes",
            "inspect --queue mail@acme --jobs",
            "job reschedule --in 1d --where queueName=mail --yes",
            "job cancel --where queueName=mail --where states=READY,DELAYED --yes --json",
            "job cancel --where queueName=mail --where states=READY --yes",
            "job redrive --checkpoint clear --where queueName=mail --where errorContains=full"
                + " --yes",
            "job redrive --job " + store.dead());

    assertThat(runs.get(0).out())
        .isEqualToIgnoringNewLines("2 jobs meet that; nothing was done, say --yes to do it");
    assertThat(runs.get(1).out()).isEqualToIgnoringNewLines("{\"matching\":1}");
    assertThat(runs.get(2).out().lines()).hasSize(4);
    assertThat(runs.get(3).out()).isEqualToIgnoringNewLines("2 jobs UPDATED");
    assertThat(runs.get(4).out()).contains(store.delayed() + "  mail@acme  ").contains("  3  ");
    assertThat(runs.get(5).out()).isEqualToIgnoringNewLines("2 jobs RESCHEDULED, 1 job DEAD");
    assertThat(runs.get(5).exitCode()).isEqualTo(ExitCode.FINDINGS);
    assertThat(runs.get(6).out()).isEqualToIgnoringNewLines("{\"CANCELLED\":2}");
    assertThat(runs.get(7).out()).isEqualToIgnoringNewLines("no jobs");
    assertThat(runs.get(7).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(runs.get(8).out()).isEqualToIgnoringNewLines("1 job REDRIVEN");
    assertThat(runs.get(9).out()).isEqualToIgnoringNewLines(store.dead() + " NOT_DEAD");
    assertThat(runs.get(9).exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @ParameterizedTest
  @EnumSource
  void job_rescheduledUpdatedAndCancelled_isAsItWasTold(Holder holder) throws IOException {
    Path payload = Files.writeString(temp.resolve("payload"), "new");
    String ready = store.ready().toString();
    String none = "0".repeat(32);

    List<CommandRun> runs =
        run(
            holder,
            "job reschedule --at 2100-01-31T12:00:00Z --job " + ready,
            "job update --set priority=3 --set weight=2 --set maxAttempts=9 --json --job " + ready,
            "job update --header a=b --payload-from " + payload + " --job " + ready,
            "inspect --json --job " + ready,
            "job reschedule --in 1d --job " + store.dead(),
            "job cancel --if-waiting --job %1$s --job %1$s --job %2$s".formatted(ready, none));

    assertThat(runs.get(0).out()).isEqualToIgnoringNewLines(ready + " RESCHEDULED");
    assertThat(runs.get(1).out())
        .isEqualToIgnoringNewLines("{\"job\":\"" + ready + "\",\"outcome\":\"UPDATED\"}");
    assertThat(runs.get(3).out())
        .contains("\"visibleAt\":\"2100-01-31T12:00:00Z\"", "\"priority\":3", "\"weight\":2")
        .contains("\"maxAttempts\":9", "\"payloadText\":\"new\"", "\"a\":\"b\"")
        .doesNotContain("\"to\"");
    assertThat(runs.get(4).out()).isEqualToIgnoringNewLines(store.dead() + " DEAD");
    assertThat(runs.get(4).exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(runs.get(5).out().lines()).containsExactly(ready + " CANCELLED", none + " GONE");
    assertThat(runs.get(5).err())
        .isEqualToIgnoringNewLines(
            "millrace: not done, the job is gone, or not in a state for it: " + none + " (GONE)");
    assertThat(runs.get(5).exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @ParameterizedTest
  @EnumSource
  void job_releasedThatDoesNotRun_isLeftAlone(Holder holder) throws IOException {
    List<CommandRun> runs =
        run(
            holder,
            "job release --job " + store.ready() + " --job " + store.dead(),
            "job release --json --job " + "0".repeat(32),
            "job release --where states=LEASED --yes",
            "job release --where queueName=mail --yes");

    assertThat(runs.get(0).out().lines())
        .containsExactly(store.ready() + " NOT_RUNNING", store.dead() + " NOT_RUNNING");
    assertThat(runs.get(0).exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(runs.get(1).out()).contains("\"outcome\":\"GONE\"");
    assertThat(runs.get(2).out()).isEqualToIgnoringNewLines("no jobs");
    assertThat(runs.get(2).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(runs.get(3).out()).isEqualToIgnoringNewLines("3 jobs NOT_RUNNING");
    assertThat(runs.get(3).exitCode()).isEqualTo(ExitCode.FINDINGS);
  }

  @ParameterizedTest
  @EnumSource
  void job_signalledOrGivenUp_isAsItWasTold(Holder holder) throws IOException {
    String paid = store.addWaiting("paid").toString();
    String stuck = store.addWaiting("never").toString();
    String ready = store.ready().toString();
    String none = "0".repeat(32);

    List<CommandRun> runs =
        run(
            holder,
            "job signal --signal paid --payload invoice --job " + paid + " --job " + ready,
            "job signal --signal paid --json --job " + none,
            "inspect --stuck-before 2100-01-31T12:00:00Z --json",
            "job fail-stuck --error forgotten --job " + stuck + " --job " + ready,
            "job fail-stuck --json --job " + none,
            "inspect --stuck-before 2100-01-31T12:00:00Z",
            "inspect --json --job " + stuck);

    assertThat(runs.get(0).out().lines()).containsExactly(paid + " WOKEN", ready + " KEPT");
    assertThat(runs.get(0).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(runs.get(1).out())
        .isEqualToIgnoringNewLines("{\"job\":\"" + none + "\",\"outcome\":\"GONE\"}");
    assertThat(runs.get(1).exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(runs.get(2).out().lines()).singleElement().asString().contains(stuck);
    assertThat(runs.get(3).out().lines())
        .containsExactly(stuck + " FAILED", ready + " NOT_WAITING");
    assertThat(runs.get(3).exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(runs.get(4).out()).contains("\"outcome\":\"GONE\"");
    assertThat(runs.get(5).out()).isEqualToIgnoringNewLines("no jobs");
    assertThat(runs.get(6).out()).contains("\"state\":\"dead\"", "forgotten");
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      Lease lease = engine.queue("orders").claim("w1", Duration.ofSeconds(30)).orElseThrow();
      assertThat(lease.signalled("paid"))
          .hasValueSatisfying(payload -> assertThat(payload).asString(UTF_8).isEqualTo("invoice"));
      lease.complete().orThrow();
    }
  }

  @Test
  void settings_folderThatNobodyHolds_changesNothing() throws IOException {
    byte[] before = Files.readAllBytes(store.folder().resolve("data.mdb"));

    CommandRun run = CommandRun.of("queue", "settings", store.path(), "--queue", "mail");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(Files.readAllBytes(store.folder().resolve("data.mdb"))).isEqualTo(before);
  }

  @Test
  void reopen_engineThatWorks_isLeftAlone() throws IOException {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      CommandRun run = CommandRun.of("reopen", "--pid", Long.toString(child.pid()));

      assertThat(run.out()).isEqualToIgnoringNewLines("nothing to do: the engine works");
      assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }
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
