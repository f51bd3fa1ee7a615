package io.millrace.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.millrace.api.JobReader;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedules;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines for Micronaut, in an application of it. */
class MailApplicationTest {

  private static String location(Path folder) {
    return "lmdb:" + folder.resolve("jobs");
  }

  private static EmbeddedServer start(Path folder) {
    return ApplicationContext.run(
        EmbeddedServer.class,
        Map.of(
            "jobs.location",
            location(folder),
            "micronaut.server.port",
            -1,
            "endpoints.health.details-visible",
            "ANONYMOUS"));
  }

  private static String ask(EmbeddedServer server, String method, String path) throws Exception {
    URI uri = URI.create(server.getURL() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static void assertAllDone(Path folder, int completed) {
    try (JobReader left = JobEngine.inspect(location(folder))) {
      QueueStats stats = left.stats(JobBeans.WELCOME.queueName()).orElseThrow();
      assertThat(stats.counts().values()).allMatch(count -> count == 0);
      assertThat(stats.total(QueueStats.Total.COMPLETED)).isEqualTo(completed);
    }
  }

  @Test
  void request_toTheController_becomesAJobThatIsDone(@TempDir Path folder) throws Exception {
    try (EmbeddedServer server = start(folder)) {
      TestMailer mailer = server.getApplicationContext().getBean(TestMailer.class);
      JobEngine engine = server.getApplicationContext().getBean(JobEngine.class);

      String id = ask(server, "POST", "/members/ada");

      assertThat(mailer.sent.poll(30, TimeUnit.SECONDS)).isEqualTo("ada");
      assertThat(id).matches("[0-9a-f]+.*");
      assertThat(Schedules.of(engine).get("hourly")).isPresent();
      assertThat(ask(server, "GET", "/health"))
          .contains("\"jobs\":{\"name\":", "\"status\":\"UP\"", "\"engine\":\"UP\"");
    }
    assertAllDone(folder, 1);
  }

  @Test
  void context_closed_waitsForTheRunningJob(@TempDir Path folder) throws Exception {
    TestMailer mailer;
    try (EmbeddedServer server = start(folder)) {
      mailer = server.getApplicationContext().getBean(TestMailer.class);
      ask(server, "POST", "/members/" + TestMailer.SLOW);
      assertThat(mailer.sent.poll(30, TimeUnit.SECONDS)).isEqualTo(TestMailer.BEGUN);
    }

    assertThat(mailer.sent).containsExactly(TestMailer.SLOW);
    assertAllDone(folder, 1);
  }

  @Test
  void process_toldToEnd_endsItsJobFirst(@TempDir Path folder) throws Exception {
    try (JobEngine engine = JobEngine.open(location(folder))) {
      engine.enqueue(JobBeans.WELCOME, TestMailer.SLOW);
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-Djobs.location=" + location(folder),
                "-Dmicronaut.server.port=-1",
                MailApplication.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = process.inputReader()) {
      String line = said.readLine();
      while (line != null && !line.equals(TestMailer.BEGUN)) {
        line = said.readLine();
      }
      process.toHandle().destroy(); // leaves the output open
      assertThat(said.lines()).contains(TestMailer.ENDED);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertAllDone(folder, 1);
  }
}
