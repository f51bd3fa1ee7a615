package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobState;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.server.Server;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs of docs/server.md. */
@Timeout(60)
class ServingTest {

  private static final Path PAGE = Path.of("..", "docs", "server.md");
  private static final Path WORKER = Path.of("src", "main", "python", "worker.py");
  private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)\\n```$");

  private final JobEngine engine = JobEngine.open("memory:serving-" + UUID.randomUUID());

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void jobs_goToAServerAndToWorkersOfIt() throws Exception {
    try (Server server = Serving.served(engine, "127.0.0.1:0");
        RemoteQueues queues = RemoteQueues.connect("millrace://localhost:" + server.port());
        Worker worker = Serving.worker(queues)) {
      assertThat(worker.running()).isEmpty();

      JobEnd<String> end = Serving.greeted("millrace://localhost:" + server.port());

      assertThat(end).isEqualTo(new JobEnd.Completed<>("Hello, Ada"));
    }
    assertThat(engine.table("greeted", Codec.TEXT, Codec.LONG).get("Ada")).contains(1L);
  }

  @Test
  void curl_makesTheCallsOfThePage() throws Exception {
    needs("curl");
    Matcher shell = SHELL.matcher(Files.readString(PAGE));
    assertThat(shell.find()).isTrue();
    try (Server server = Server.on(engine).http("127.0.0.1:0").listen("127.0.0.1:0")) {
      String out = run(server, "bash", "-e", "-c", shell.group(1));

      assertThat(out).contains("\"enqueued\"", "\"leases\"", "\"payload\":\"QWRh\"");
    }
    assertThat(engine.queue("greetings").stats().orElseThrow().count(JobState.LEASED)).isEqualTo(1);
  }

  @Test
  void python_works() throws Exception {
    needs("python3");
    for (String name : List.of("Ada", "Eve")) {
      engine.queue("greetings").enqueue(name.getBytes(UTF_8));
    }
    try (Server server = Server.on(engine).http("127.0.0.1:0").listen("127.0.0.1:0")) {
      String out = run(server, "bash", "-c", "python3 " + WORKER + " \"$SERVER\" greetings");

      assertThat(out).isEqualTo("Hello, Ada\nHello, Eve\n");
    }
    assertThat(engine.queue("greetings").stats().orElseThrow().count(JobState.READY)).isZero();
  }

  private static void needs(String program) throws IOException, InterruptedException {
    Process asked = new ProcessBuilder("bash", "-c", "command -v " + program).start();
    if (asked.waitFor() != 0) {
      String message = program + " is not there";
      assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
      Assumptions.abort(message);
    }
  }

  /** Runs a command, which knows the server's address, and returns what it prints. */
  private static String run(Server server, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .put("SERVER", "http://127.0.0.1:" + server.httpPort().orElseThrow() + "/v1/");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).as(out).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }
}
