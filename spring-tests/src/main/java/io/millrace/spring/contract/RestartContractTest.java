package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreLockedException;
import io.millrace.spring.sample.MailService;
import io.millrace.spring.sample.Mailer;
import io.millrace.spring.sample.SampleApplication;
import io.millrace.worker.Schedules;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;

/** The sample application on a store in a folder: it goes on where it was, and waits its turn. */
@ExtendWith(OutputCaptureExtension.class)
public abstract class RestartContractTest {

  /** Keeps what is sent. */
  @Configuration(proxyBeanMethods = false)
  static class Recording {

    final Seen sent = new Seen();

    @Bean
    @Primary
    Mailer recordingMailer() {
      return (to, text) -> sent.add(to);
    }
  }

  private static ConfigurableApplicationContext start(Path folder, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("millrace.location=lmdb:" + folder.resolve("jobs"));
    all.add("spring.datasource.url=jdbc:h2:mem:restart;DB_CLOSE_DELAY=-1");
    return new SpringApplicationBuilder(SampleApplication.class, Recording.class)
        .web(WebApplicationType.NONE)
        .properties(all.toArray(String[]::new))
        .run();
  }

  private static Seen sent(ConfigurableApplicationContext context) {
    return context.getBean(Recording.class).sent;
  }

  @Test
  void application_startedAgain_goesOn(@TempDir Path folder) {
    try (var producer = start(folder, "millrace.worker.enabled=false")) {
      producer.getBean(MailService.class).welcome("ada");
      producer
          .getBean(JdbcTemplate.class)
          .execute("create table if not exists member (address varchar(99))");
      producer.getBean(MailService.class).register("bob");
    }

    try (var worker = start(folder)) {
      assertThat(List.of(sent(worker).next(), sent(worker).next()))
          .containsExactlyInAnyOrder("ada", "bob");
      assertThat(worker.getBean(Schedules.class).get("nightly")).isPresent();
    }

    try (var often = start(folder, "sample.ping=1s")) {
      assertThat(sent(often).next()).isEqualTo("ping@example.org");
      often.getBean(MailService.class).welcome("eve");
      assertThat(Stream.generate(sent(often)::next).limit(3)).contains("eve");
    }
  }

  @Test
  void secondApplication_onOneFolder_failsAndSaysWhatToDo(
      @TempDir Path folder, CapturedOutput output) {
    try (var first = start(folder)) {
      assertThatThrownBy(() -> start(folder)).hasRootCauseInstanceOf(StoreLockedException.class);

      assertThat(output)
          .contains("Millrace cannot open its store, which another process has open")
          .contains("set millrace.await-lock to the time that it may take to end, such as 60s");
      assertThat(first.isRunning()).isTrue();
    }
  }

  @Test
  void secondApplication_thatAwaitsTheLock_takesOver(@TempDir Path folder, CapturedOutput output)
      throws Exception {
    CompletableFuture<ConfigurableApplicationContext> second;
    try (var first = start(folder, "millrace.worker.enabled=false")) {
      second = CompletableFuture.supplyAsync(() -> start(folder, "millrace.await-lock=60s"));
      while (!output.getOut().contains("store is held, and waited for")) {
        assertThat(second).isNotDone();
        Thread.onSpinWait();
      }
      first.getBean(MailService.class).welcome("ada");
    }

    try (var context = second.get(60, TimeUnit.SECONDS)) {
      assertThat(sent(context).next()).isEqualTo("ada");
      assertThat(context.getBean(JobQueues.class).stats(QueueName.of("mail"))).isPresent();
    }
  }

  @Test
  void secondApplication_whoseTimeIsOver_fails(@TempDir Path folder) {
    try (var first = start(folder)) {
      assertThatThrownBy(() -> start(folder, "millrace.await-lock=300ms"))
          .hasRootCauseInstanceOf(StoreLockedException.class);
      assertThat(first.isRunning()).isTrue();
    }
  }

  /**
   * Ends a process as a platform does: the worker's part of it, the engine's and Spring's all begin
   * at once, and the job has to be stored before the store is closed.
   */
  @Test
  void process_toldToEnd_endsItsJobsFirst(@TempDir Path folder) throws Exception {
    String location = "lmdb:" + folder.resolve("jobs");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SlowApplication.class.getName(),
                "--millrace.location=" + location,
                "--millrace.worker.stop-grace=20s")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = process.inputReader()) {
      String line = said.readLine();
      while (line != null && !line.equals(SlowApplication.BEGUN)) {
        line = said.readLine();
      }
      process.toHandle().destroy(); // leaves the output open
      assertThat(said.lines()).contains(SlowApplication.ENDED);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    try (JobReader left = JobEngine.inspect(location)) {
      QueueStats stats = left.stats(SlowApplication.SLOW.queueName()).orElseThrow();
      assertThat(stats.counts().values()).allMatch(count -> count == 0);
      assertThat(stats.total(QueueStats.Total.COMPLETED)).isEqualTo(1);
    }
  }
}
