package io.millrace.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.cli.Main;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.ChildWorkers;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask an engine in another process. */
@Tag("thorough")
final class RunningEngineEndToEndTest {

  private final Path temp;
  private final PreparedStore store;

  RunningEngineEndToEndTest(@TempDir Path temp) {
    this.temp = temp;
    this.store = PreparedStore.in(temp.resolve("jobs"));
  }

  @Test
  void commandsThatRead_storeHeldByAnEngine_sayWhatTheySaidOfTheFolder() throws Exception {
    List<String[]> commands =
        List.of(
            new String[] {"inspect"},
            new String[] {"inspect", "--json"},
            new String[] {"inspect", "--queue", "mail"},
            new String[] {"inspect", "--queue", PreparedStore.ODD_QUEUE},
            new String[] {"inspect", "--state", "dead"},
            new String[] {"inspect", "--state", "delayed", "--json"},
            new String[] {"inspect", "--tenant", "acme"},
            new String[] {"inspect", "--attempts", "1..3", "--error", "full", "--tenant", ""},
            new String[] {"inspect", "--queue", "mail", "--all-tenants", "--type", "mail"},
            new String[] {"inspect", "--unique-key", "none"},
            new String[] {"inspect", "--job", store.ready().toString()},
            new String[] {"inspect", "--job", store.delayed().toString(), "--json"},
            new String[] {"inspect", "--tables"},
            new String[] {"inspect", "--table", "stock", "--json"},
            new String[] {"inspect", "--table", "stock", "--prefix", "tea"},
            new String[] {"dead", "list"},
            new String[] {"dead", "list", "--error", "route", "--json"},
            new String[] {"dead", "list", "--older-than", "1h"},
            new String[] {"verify"},
            new String[] {"verify", "--json"});
    store.addTables();
    List<String> offline = new ArrayList<>();
    for (String[] command : commands) {
      offline.add(withoutAges(CommandRun.of(with(command, store.path()))));
    }

    List<String> running = new ArrayList<>();
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      for (String[] command : commands) {
        running.add(withoutAges(CommandRun.of(with(command, "--pid", pid(child)))));
      }
    }

    assertThat(running).isEqualTo(offline);
  }

  @Test
  void explain_storeHeldByAnEngine_asksItWhatTheStoreDoesNotKnow() throws Exception {
    String id = store.ready().toString();
    CommandRun offline = CommandRun.of("explain", store.path(), id);

    CommandRun online;
    CommandRun withStore;
    CommandRun gone;
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      online = CommandRun.of("explain", "--pid", pid(child), id);
      withStore = CommandRun.of("explain", store.path(), "--pid", pid(child), id, "--json");
      gone = CommandRun.of("explain", "--pid", pid(child), "0".repeat(32));
    }

    assertThat(offline.out().lines())
        .containsExactly(
            id + " of mail is ready:",
            "- its store is looked at without an engine: who claims, and who holds leases that are"
                + " not stored yet, is not told");
    assertThat(online.out().lines())
        .containsExactly(
            id + " of mail is ready:",
            "- no claim waits for jobs of its queue; none is known of lately");
    assertThat(withStore.out())
        .isEqualToIgnoringNewLines(
            ("{\"id\":\"%s\",\"queue\":\"mail\",\"tenant\":\"\",\"state\":\"ready\",\"reasons\":"
                    + "[{\"kind\":\"NoClaims\",\"sentence\":\"no claim waits for jobs of its queue;"
                    + " none is known of lately\",\"facts\":{}}]}")
                .formatted(id));
    assertThat(gone.err())
        .isEqualToIgnoringNewLines(
            "millrace: no such job: it is completed, cancelled or removed, or never was: job="
                + "0".repeat(32));
    assertThat(gone.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void explain_jobsThatWaitOrDied_saysTheSameOfTheFolderAndThroughTheEngine() throws Exception {
    String delayed = store.delayed().toString();
    CommandRun offline = CommandRun.of("explain", store.path(), store.dead().toString());

    CommandRun online;
    CommandRun waits;
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      online = CommandRun.of("explain", "--pid", pid(child), store.dead().toString());
      waits = CommandRun.of("explain", "--pid", pid(child), delayed, "--json");
    }

    assertThat(offline.out())
        .startsWith(store.dead() + " of mail is dead:")
        .contains("- has been dead since ")
        .endsWith("attempt 1 of 20 failed of mailbox is full" + System.lineSeparator());
    assertThat(online.out().lines().findFirst()).isEqualTo(offline.out().lines().findFirst());
    assertThat(waits.out())
        .startsWith("{\"id\":\"" + delayed + "\",\"queue\":\"mail\",\"tenant\":\"acme\"")
        .contains("\"kind\":\"Delayed\"", "(in 29 d 23 h): it was enqueued or rescheduled so")
        .contains("\"why\":\"asked\"", "\"until\":\"", "\"earliest\":\"");
  }

  @Test
  void inspect_lockedStore_namesTheOptionThatHelps() throws Exception {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      CommandRun locked = CommandRun.of("inspect", store.path());
      CommandRun helped = CommandRun.of("inspect", store.path(), "--pid", pid(child));

      assertThat(locked.err())
          .isEqualToIgnoringNewLines(
              ("millrace: locked: store folder is open in another process: folder=%s, pid=%d; ask"
                      + " the engine that has it open with --pid %d, or close it there")
                  .formatted(store.path(), child.pid(), child.pid()));
      assertThat(locked.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(helped.out()).startsWith("QUEUE");
      assertThat(helped.exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void redriveAndDelete_storeHeldByAnEngine_areCarriedOutByIt() throws Exception {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      CommandRun redriven =
          CommandRun.of("dead", "redrive", "--pid", pid(child), "--job", store.dead().toString());
      CommandRun again =
          CommandRun.of("dead", "redrive", "--pid", pid(child), "--job", store.dead().toString());
      CommandRun deleted = CommandRun.of("dead", "delete", "--pid", pid(child), "--all");

      assertThat(redriven.out()).isEqualToIgnoringNewLines("redriven 1 dead letter");
      assertThat(again.err())
          .isEqualToIgnoringNewLines("millrace: no such dead letter: " + store.dead());
      assertThat(deleted.out()).isEqualToIgnoringNewLines("deleted 1 dead letter");
    }
    assertThat(CommandRun.of("inspect", store.path(), "--state", "ready", "--json").out())
        .contains(store.dead().toString())
        .doesNotContain(store.deadToo().toString());
  }

  @Test
  void release_jobsThatRun_areTakenFromTheirWorkers() throws Exception {
    try (ChildEngine child = ChildWorkers.start()) {
      String running = "job release --where states=LEASED --pid " + pid(child);
      String id = awaitRunning(child, 1);

      CommandRun counted = CommandRun.of(running.split(" "));
      CommandRun released = CommandRun.of("job", "release", "--pid", pid(child), "--job", id);
      assertThat(awaitRunning(child, 2)).isEqualTo(id);
      CommandRun all = CommandRun.of((running + " --yes --json").split(" "));

      assertThat(counted.out())
          .isEqualToIgnoringNewLines("1 job meets that; nothing was done, say --yes to do it");
      assertThat(released.out()).isEqualToIgnoringNewLines(id + " RELEASED");
      assertThat(released.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(all.out()).isEqualToIgnoringNewLines("{\"RELEASED\":1}");
      assertThat(all.exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  /** Waits until that many runs have begun, of which the last goes on; answers its job. */
  private static String awaitRunning(ChildEngine child, int runCount) {
    String inspect = "inspect --json --pid " + pid(child);
    while (true) {
      String stats = CommandRun.of((inspect + " --queue mail").split(" ")).out();
      String leased = CommandRun.of((inspect + " --state leased").split(" ")).out();
      Matcher id = Pattern.compile("\"id\":\"([0-9a-f]{32})\"").matcher(leased);
      if (stats.contains("\"claimed\":" + runCount + ",") && id.find()) {
        return id.group(1);
      }
    }
  }

  @Test
  void redrive_storeHeldByAnEngine_keepsOrClearsTheStateOfTheCheckpoint() throws Exception {
    JobId kept = store.addDeadWithState("page 7");
    JobId cleared = store.addDeadWithState("page 8");
    JobId clearedToo = store.addDeadWithState("page 9");
    CommandRun rest;
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      String redrive = "dead redrive --pid " + pid(child) + " --checkpoint ";
      CommandRun.of((redrive + "keep --job " + kept).split(" "));
      CommandRun.of((redrive + "clear --job " + cleared).split(" "));
      rest = CommandRun.of("dead", "redrive", "--pid", pid(child), "--all", "--checkpoint=clear");
    }

    assertThat(rest.out()).isEqualToIgnoringNewLines("redriven 3 dead letters");
    assertThat(CommandRun.of("inspect", store.path(), "--job", kept.toString()).out())
        .contains("state       ready", "checkpoint  6 bytes: page 7");
    for (JobId id : List.of(cleared, clearedToo)) {
      assertThat(CommandRun.of("inspect", store.path(), "--job", id.toString()).out())
          .contains("state       ready")
          .doesNotContain("checkpoint");
    }
  }

  @Test
  void backup_storeHeldByAnEngineOrByNobody_isAStoreOfItsOwn() throws Exception {
    String online = temp.resolve("online").toString();
    String offline = temp.resolve("offline").toString();
    CommandRun told;
    CommandRun refused;
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      told = CommandRun.of("backup", "--pid", pid(child), online);
      refused = CommandRun.of("backup", "--pid", pid(child), online);
    }

    CommandRun toldOffline = CommandRun.of("backup", store.path(), offline);

    assertThat(told.out()).isEqualToIgnoringNewLines("backed up to " + online);
    assertThat(refused.err())
        .isEqualToIgnoringNewLines("millrace: folder for a copy is not empty: folder=" + online);
    assertThat(refused.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(toldOffline.out()).isEqualToIgnoringNewLines("backed up to " + offline);
    for (String copy : List.of(online, offline)) {
      assertThat(CommandRun.of("verify", copy).out())
          .isEqualToIgnoringNewLines(
              "ok: 3 queues, 4 jobs, 0 problems, 0 rows set aside as damaged");
    }
  }

  @Test
  void pid_severalEngines_mustBeChosenFrom() throws Exception {
    String other = temp.resolve("other").toString();
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path(), "lmdb:" + other)) {
      CommandRun unclear = CommandRun.of("inspect", "--pid", pid(child));
      CommandRun byFolder = CommandRun.of("inspect", other, "--pid", pid(child));
      CommandRun byName =
          CommandRun.of("inspect", "--pid", pid(child), "--store-name", "lmdb:" + other);
      CommandRun wrong = CommandRun.of("inspect", "--pid", pid(child), "--store-name", "odd");

      assertThat(unclear.err())
          .startsWith(
              "millrace: several engines in the process, choose one by --store-name: pid="
                  + child.pid())
          .contains("lmdb:" + store.path())
          .contains("lmdb:" + other);
      assertThat(unclear.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(byFolder.out()).isEqualToIgnoringNewLines("no queues");
      assertThat(byName.out()).isEqualToIgnoringNewLines("no queues");
      assertThat(wrong.err()).startsWith("millrace: no such engine in the process: pid=");
    }
  }

  @Test
  void pid_withoutAnEngine_saysSo() throws Exception {
    try (ChildEngine child = ChildEngine.start()) {
      CommandRun run = CommandRun.of("inspect", "--pid", pid(child));

      assertThat(run.err())
          .isEqualToIgnoringNewLines(
              "millrace: no Millrace engine is open in the process: pid=" + child.pid());
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void pid_ofAJavaWithoutJmx_engineWorksButIsNotSeen() throws Exception {
    List<String> withoutJmx = List.of("--limit-modules", "java.base,jdk.jfr,java.logging");
    try (ChildEngine child = ChildEngine.start(withoutJmx, "memory:unseen")) {
      CommandRun run = CommandRun.of("inspect", "--pid", pid(child));

      assertThat(run.err())
          .isEqualToIgnoringNewLines(
              "millrace: no Millrace engine is open in the process: pid=" + child.pid());
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void pid_ofAJavaThatDoesNotWantIt_saysSo() throws Exception {
    try (ChildEngine child =
        ChildEngine.start(List.of("-XX:+DisableAttachMechanism"), "memory:shut")) {
      CommandRun run = CommandRun.of("inspect", "--pid", pid(child));

      assertThat(run.err())
          .startsWith(
              "millrace: the process does not let itself be attached to; it must run as this user,"
                  + " with the module jdk.management.agent and without"
                  + " -XX:+DisableAttachMechanism: pid="
                  + child.pid());
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(ProcessHandle.of(child.pid())).isPresent();
    }
  }

  @Test
  void pid_commandInAJavaThatCannotAttach_saysSo() throws IOException, InterruptedException {
    List<String> command =
        ChildEngine.java(List.of("--limit-modules", "java.base,jdk.jfr,java.logging"));
    command.addAll(
        List.of(
            Main.class.getName(),
            "inspect",
            "--pid",
            Long.toString(ProcessHandle.current().pid())));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();

    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(said)
        .startsWith(
            "millrace: this Java cannot attach to processes, for it lacks the module jdk.attach or"
                + " java.management; run the command with a JDK: java.home=");
    assertThat(process.waitFor()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void pid_ofNobody_saysSo() throws Exception {
    ChildEngine child = ChildEngine.start();
    child.close();

    CommandRun run = CommandRun.of("verify", "--pid", pid(child));

    assertThat(run.err())
        .isEqualToIgnoringNewLines("millrace: there is no such process: pid=" + child.pid());
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void pid_ofSomethingElse_isNotHarmed() throws IOException, InterruptedException {
    Process other = new ProcessBuilder("sleep", "600").start();
    try {
      CommandRun run = CommandRun.of("inspect", "--pid", Long.toString(other.pid()));

      assertThat(run.err())
          .isEqualToIgnoringNewLines("millrace: not a Java process: pid=" + other.pid());
      assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void top_once_showsRatesTimesAndQueues() throws Exception {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      CommandRun run = CommandRun.of("top", "--pid", pid(child), "--once", "--interval", "0.1");

      List<String> lines = run.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
      assertThat(lines.get(0))
          .startsWith("lmdb:" + store.path() + " pid " + child.pid() + " open for ")
          .endsWith(" UP");
      assertThat(lines.get(1))
          .isEqualTo("held ring 0 of 65,536 leases 0 on queues 0 waiting claims 0 awaited ends 0");
      assertThat(lines.get(2))
          .matches("store \\S+ .B in memory 0 B oldest reader - clock ahead .* set aside 0");
      assertThat(lines.get(3)).startsWith("jobs/s enqueued 0 claimed 0 completed 0 retried 0 ");
      assertThat(lines.get(5)).isEqualTo("LAST MINUTE P50 P90 P99 MAX PER SECOND");
      assertThat(lines.get(6)).matches("commit, ms( \\d+\\.\\d\\d){4} 0");
      assertThat(lines.get(7)).matches("sync, ms( \\d+\\.\\d\\d){4} 0");
      assertThat(lines.get(8)).isEqualTo("group, requests 0 0 0 0 0");
      assertThat(lines.get(10))
          .startsWith("QUEUE READY DELAYED LEASED BLOCKED WAITING DEAD DONE OLDEST READY ");
      assertThat(lines.get(11)).matches("mail 1 0 0 0 0 1 0 \\S+ \\S+ 0 0 on");
      assertThat(lines.get(12)).isEqualTo("mail@acme 0 1 0 0 0 0 0 - 0 0 on");
      assertThat(run.out()).doesNotContain("\u001b");
      assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void top_json_isOneDocumentOnALineForEachSample() throws Exception {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      CommandRun run =
          CommandRun.of("top", "--pid", pid(child), "--json", "--count", "2", "--interval", "0.1");

      assertThat(run.err()).isEmpty();
      assertThat(run.out().lines())
          .hasSize(2)
          .allMatch(line -> line.startsWith("{\"at\":\"2") && line.endsWith("}"))
          .allMatch(
              line ->
                  line.contains(
                      "\"store\":\"lmdb:%s\",\"pid\":%d,\"status\":\"UP\",\"warnings\":[],"
                          .formatted(store.path(), child.pid())))
          .allMatch(
              line ->
                  line.contains(
                      "\"rateBuckets\":0,\"rateLimitedQueues\":0,\"tenantNames\":0,"
                          + "\"tenantTurns\":0,\"broadcasts\":0,"
                          + "\"awaitedEnds\":0,\"jobListeners\":0,"
                          + "\"waitingEvents\":0,\"missedEvents\":0,\"duplicates\":0,"))
          .allMatch(line -> line.contains("\"jobsPerSecond\":{\"enqueued\":0,"))
          .allMatch(line -> line.contains("\"commitMs\":{\"p50\":"))
          .allMatch(line -> line.contains("{\"queue\":\"mail\",\"tenant\":\"acme\","))
          .allMatch(line -> line.contains("\"moreQueues\":false"));
      assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void top_whoeverReadsHasGone_ends() throws Exception {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      PipedReader reader = new PipedReader();
      PrintWriter pipe = new PrintWriter(new PipedWriter(reader));
      reader.close();

      int exitCode =
          Main.commandLine()
              .setOut(pipe)
              .execute("top", "--pid", pid(child), "--json", "--interval", "0.1");

      assertThat(exitCode).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void top_processIsKilledMeanwhile_endsWithASentence() throws Exception {
    ChildEngine child = ChildEngine.start("lmdb:" + store.path());
    StringWriter err = new StringWriter();
    PrintWriter killing =
        new PrintWriter(Writer.nullWriter()) {
          @Override
          public void println() {
            ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
          }
        };

    int exitCode =
        Main.commandLine()
            .setOut(killing)
            .setErr(new PrintWriter(err))
            .execute("top", "--pid", pid(child), "--json", "--interval", "0.1");

    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "millrace: the process has ended, or does not answer any more: pid=" + child.pid());
    assertThat(exitCode).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void top_folder_findsTheProcessThatHoldsIt() throws Exception {
    try (ChildEngine child = ChildEngine.start("lmdb:" + store.path())) {
      CommandRun run =
          CommandRun.of("top", store.path(), "--count", "2", "--interval", "0.1", "--queues", "1");

      assertThat(run.out().lines().filter(line -> line.contains("  pid " + child.pid())))
          .hasSize(2);
      assertThat(run.out().lines().filter("There are more: --queues shows more of them."::equals))
          .hasSize(2);
    }
    CommandRun closed = CommandRun.of("top", store.path(), "--once");
    CommandRun nothing = CommandRun.of("top", temp.toString(), "--once");
    assertThat(closed.err())
        .isEqualToIgnoringNewLines("millrace: no engine has a store open there: " + store.path());
    assertThat(nothing.err())
        .isEqualToIgnoringNewLines("millrace: no engine has a store open there: " + temp);
    assertThat(nothing.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  private static String[] with(String[] command, String... more) {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(List.of(more));
    return args.toArray(String[]::new);
  }

  private static String pid(ChildEngine child) {
    return Long.toString(child.pid());
  }

  /** What a command did, without what depends on the time. */
  private static String withoutAges(CommandRun run) {
    String out =
        run.out()
            .replaceAll("\"oldestReadyAgeMs\":\\d+", "AGE")
            .replaceAll("\\b\\d+(\\.\\d\\d)? s\\b", "AGE")
            .replaceAll(" +", " ");
    return run.exitCode() + "\n" + out + run.err();
  }
}
