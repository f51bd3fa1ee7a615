package io.millrace.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedules;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.component.QuarkusComponentTestExtension;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The lines for Quarkus, in its container of beans. What Quarkus does around it, its start and its
 * end, are events that the test fires.
 */
class JobBeansTest {

  /**
   * The folder that the engine makes. Not one of JUnit's, which are made after the container has
   * been told of it; and this class is loaded twice, so that it must not make one itself.
   */
  private static final Path FOLDER = Path.of("target", "jobs-" + UUID.randomUUID());

  @RegisterExtension
  static final QuarkusComponentTestExtension CONTAINER =
      QuarkusComponentTestExtension.builder()
          .addComponentClasses(
              JobBeans.class, MemberResource.class, JobHealth.class, TestMailer.class)
          .configProperty("jobs.location", "lmdb:" + FOLDER.resolve("jobs"))
          .build();

  @Inject Event<StartupEvent> startup;
  @Inject Event<ShutdownEvent> shutdown;
  @Inject MemberResource members;
  @Inject TestMailer mailer;
  @Inject JobEngine engine;
  @Inject @Readiness JobHealth health;

  @Test
  void request_toTheResource_becomesAJobThatIsDone() throws Exception {
    startup.fire(new StartupEvent());

    members.welcome("ada");

    assertThat(mailer.sent().poll(30, TimeUnit.SECONDS)).isEqualTo("ada");
    assertThat(Schedules.of(engine).get("hourly")).isPresent();
    assertThat(health.call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
    assertThat(health.call().getData().orElseThrow()).containsEntry("engine", "UP");
    shutdown.fire(new ShutdownEvent());
  }

  @Test
  void shutdown_waitsForTheRunningJob() throws Exception {
    startup.fire(new StartupEvent());
    members.welcome(TestMailer.SLOW);
    assertThat(mailer.sent().poll(30, TimeUnit.SECONDS)).isEqualTo(TestMailer.BEGUN);

    shutdown.fire(new ShutdownEvent());

    assertThat(mailer.sent()).containsExactly(TestMailer.SLOW);
    QueueStats stats = engine.stats(JobBeans.WELCOME.queueName()).orElseThrow();
    assertThat(stats.counts().values()).allMatch(count -> count == 0);
  }

  /** The store can be opened after the last container has ended only if each closed its engine. */
  @AfterAll
  static void engines_areClosed() throws IOException {
    try (JobEngine again = JobEngine.open("lmdb:" + FOLDER.resolve("jobs"))) {
      QueueStats stats = again.stats(JobBeans.WELCOME.queueName()).orElseThrow();
      assertThat(stats.total(QueueStats.Total.COMPLETED)).isEqualTo(2);
    }
    try (Stream<Path> left = Files.walk(FOLDER)) {
      left.sorted(Comparator.reverseOrder())
          .forEach(each -> assertThat(each.toFile().delete()).isTrue());
    }
  }
}
