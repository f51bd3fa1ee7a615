package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each example says what it promises. */
@Timeout(60)
class ExamplesTest {

  private static final Map<String, List<String>> SAID =
      Map.ofEntries(
          Map.entry(
              "retries",
              List.of(
                  "https://example.org: attempt 1",
                  "https://example.org: attempt 2",
                  "https://example.org: attempt 3",
                  "Completed[result=<html>]",
                  "example.org: attempt 1",
                  "dead at once")),
          Map.entry(
              "priorities", List.of("house on fire", "first question", "second question", "spam")),
          Map.entry("delayed", List.of("tomorrow", "in a moment")),
          Map.entry(
              "expired",
              List.of(
                  "attempt 2, lease expired: worker=asleep, attempt=1",
                  "fenced: true",
                  "too late: STALE_LEASE")),
          Map.entry("weights", List.of("at most 4 at a time")),
          Map.entry(
              "ordered",
              List.of(
                  "ada: open",
                  "bob: open",
                  "ada: pay in",
                  "invoice 1",
                  "invoice 2",
                  "0 reports",
                  "report 1")),
          Map.entry("fan", List.of("novel: 9 words", "novel, page by page: [4, 3, 2]")),
          Map.entry(
              "batch",
              List.of(
                  "import 2026-11: 1 of 6 died", "2026-11 is published", "import 2026-11: 6 of 6")),
          Map.entry("transfer", List.of("Completed", "ada 70", "shop 30")),
          Map.entry(
              "workflow",
              List.of("charges for boots", "somebody says yes", "ships boots", "done: parcel 4")),
          Map.entry(
              "outbox",
              List.of(
                  "rolled back: an order of nothing",
                  "RUNNING, all is well",
                  "0 waiting, 0 failed",
                  "boots: 1",
                  "hat: 1")),
          Map.entry("tenants", List.of("served among the first")));

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("names")
  void run_saysWhatItShows(String name) throws Exception {
    assertThat(said(name)).isEqualTo(SAID.get(name));
  }

  /** Workers, schedules, workflows, batches, tables and transactions are those of an engine. */
  @ParameterizedTest
  @MethodSource("names")
  void run_throughAServer_saysTheSame(String name) throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (JobEngine engine = JobEngine.open("memory:served-" + name);
        Server server = Server.on(engine).listen("127.0.0.1:0");
        RemoteQueues queues = RemoteQueues.connect("millrace://localhost:" + server.port())) {
      Examples.all().get(name).example().run(queues, said::add);
    }

    assertThat(said).isEqualTo(SAID.get(name));
  }

  @Test
  void report_throughAServer_comesAgainAndAgain() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (JobEngine engine = JobEngine.open("memory:served-report");
        Server server = Server.on(engine).listen("127.0.0.1:0");
        RemoteQueues queues = RemoteQueues.connect("millrace://localhost:" + server.port())) {
      RecurringReport.run(queues, said::add);
    }

    assertThat(said).anyMatch(line -> line.contains("pulse"));
  }

  private static List<String> said(String name) throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (JobEngine engine = JobEngine.open("memory:" + name)) {
      Examples.all().get(name).example().run(engine, said::add);
    }
    return said;
  }

  @Test
  void stop_saysWhatBecameOfBothJobs() throws Exception {
    List<String> said = said("stop");

    // 0 finished if the short job had ended before the worker was told to stop.
    assertThat(said.get(0)).matches("StopReport\\[finished=[01], interrupted=1, released=1]");
    assertThat(said.subList(1, said.size())).containsExactly("READY after 0 attempts");
  }

  static List<String> names() {
    return List.copyOf(SAID.keySet());
  }

  @Test
  void all_areRun_hereOrInATestOfTheirOwn() {
    // RecurringReportTest; the others are below.
    Set<String> elsewhere = Set.of("stop", "resume", "report");
    assertThat(Examples.all().keySet())
        .containsAll(SAID.keySet())
        .containsAll(elsewhere)
        .hasSize(SAID.size() + elsewhere.size());
  }

  @Test
  @Tag("slow")
  void resume_killed_goesOnWhereItWas() throws IOException {
    List<String> first = new CopyOnWriteArrayList<>();
    Process process = start("resume");
    try (BufferedReader out = process.inputReader()) {
      while (!first.contains("counted to 3")) {
        first.add(out.readLine());
      }
    }
    process.destroyForcibly().onExit().join();

    List<String> second = new CopyOnWriteArrayList<>();
    Process again = start("resume");
    try (BufferedReader out = again.inputReader()) {
      while (second.size() < 2) {
        second.add(out.readLine());
      }
    }
    again.destroyForcibly().onExit().join();

    assertThat(first).startsWith("attempt 1 begins after 0", "counted to 1");
    String begun = second.get(0);
    assertThat(begun).matches("attempt 2 begins after [1-9][0-9]*");
    int done = Integer.parseInt(begun.replaceAll(".* ", ""));
    assertThat(done).isGreaterThanOrEqualTo(3);
    assertThat(second.get(1)).isEqualTo("counted to " + (done + 1));
  }

  private Process start(String name) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Examples.class.getName(),
            name,
            "lmdb:" + folder.resolve("jobs"))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
