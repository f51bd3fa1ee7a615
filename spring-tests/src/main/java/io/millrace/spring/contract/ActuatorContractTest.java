package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spring.JobHandler;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The actuator: it shows an engine, and acts on it. */
public abstract class ActuatorContractTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  /** The answer of the health indicator of an application. */
  public record Shown(String status, Map<String, Object> details) {}

  /** Asks the health indicator {@code millraceHealthIndicator}, of the generation's own type. */
  protected abstract Shown health(ApplicationContext context);

  @Test
  void health_ofSoundEngine_isUp() {
    Contexts.with()
        .run(
            context -> {
              Shown shown = health(context);
              assertThat(shown.status()).isEqualTo("UP");
              assertThat(shown.details()).containsEntry("engine", "UP").doesNotContainKey("reason");
            });
  }

  @Test
  void health_ofFullStore_isOutOfService() {
    FaultyStore disk = new FaultyStore(7);
    onDisk(disk)
        .withPropertyValues(
            "spring.jmx.enabled=true",
            "management.endpoints.jmx.exposure.include=health",
            "management.endpoint.health.group.readiness.include=millrace")
        .run(
            context -> {
              JobEngine engine = context.getBean(JobEngine.class);
              assertThat(text(callOf("Health", "healthForPath", path("readiness"))))
                  .contains("status=UP");
              disk.room(FaultyStore.Room.FOR_RESERVE_USERS);
              assertThatThrownBy(() -> engine.enqueue(MAIL, "no room")).isNotNull();
              Shown shown = health(context);
              assertThat(shown.status()).isEqualTo("OUT_OF_SERVICE");
              assertThat(shown.details()).containsEntry("engine", "FULL").containsKey("reason");
              assertThat(text(callOf("Health", "healthForPath", path("readiness"))))
                  .contains("status=OUT_OF_SERVICE");
              disk.room(FaultyStore.Room.FOR_ALL);
            });
  }

  @Test
  void health_afterFailedSync_isDownWithTheReason() {
    FaultyStore disk = new FaultyStore(7);
    onDisk(disk)
        .run(
            context -> {
              JobEngine engine = context.getBean(JobEngine.class);
              disk.failNext(StoreCall.SYNC, Fault.BEFORE);
              assertThatThrownBy(() -> engine.enqueue(MAIL, "unknown")).isNotNull();
              Shown shown = health(context);
              assertThat(shown.status()).isEqualTo("DOWN");
              assertThat(shown.details())
                  .containsEntry("engine", "POISONED")
                  .containsKeys("reason", "lastError");
            });
  }

  /** Returns contexts with an engine of their own on this disk, which does not reopen itself. */
  private static ApplicationContextRunner onDisk(FaultyStore disk) {
    return Contexts.bare()
        .withPropertyValues("millrace.worker.enabled=false")
        .withBean(
            JobEngine.class,
            () ->
                JobEngine.open(
                    disk,
                    StoreOptions.of(Path.of("jobs")),
                    EngineOptions.DEFAULT.reopenAfter(List.of())),
            definition -> definition.setDestroyMethodName(""));
  }

  @Test
  void health_switchedOff_hasNoIndicator() {
    Contexts.with()
        .withPropertyValues("management.health.millrace.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("millraceHealthIndicator"));
  }

  @Test
  void endpoint_notExposed_isNotThere() {
    Contexts.with().run(context -> assertThat(context).doesNotHaveBean("millraceEndpoint"));
  }

  /** Fails until it is mended. */
  static class Failing {

    final Seen seen = new Seen();
    volatile boolean isMended;

    @JobHandler("mail")
    void send(String to) {
      seen.add(to);
      if (!isMended) {
        throw new IllegalStateException("no answer");
      }
    }
  }

  @Test
  void endpoint_overJmx_showsAndActs() {
    Contexts.with(Failing.class)
        .withPropertyValues(
            "spring.jmx.enabled=true",
            "management.endpoints.jmx.exposure.include=millrace",
            "millrace.queues.mail.retry.max-attempts=1")
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              Failing failing = context.getBean(Failing.class);
              var died = queues.submit(MAIL.returning(Codec.TEXT), "ada");
              died.end().get(30, TimeUnit.SECONDS);
              String id = died.jobId().toString();

              assertThat(text(call("overview"))).contains("engine={engine=UP").contains("dead=1");
              assertThat(text(call("look", path("queue", "mail")))).contains("name=mail");
              assertThat(call("look", path("queue", "none"))).isNull();
              assertThat(text(call("look", path("job", id))))
                  .contains("state=dead")
                  .contains("lastError=")
                  .contains("no answer");
              assertThat(text(call("look", path("explain", id)))).contains("reasons=[");
              assertThat(call("look", path("job", new JobId(1, 2).toString()))).isNull();
              assertThatThrownBy(() -> call("look", path("jobs", "x")))
                  .rootCause()
                  .hasMessageContaining("there is no such place");
              assertThatThrownBy(() -> call("act", "shout", path("queue", "mail")))
                  .rootCause()
                  .hasMessageContaining("no such action on a queue");

              assertThat(text(call("act", "pause", path("queue", "mail"))))
                  .contains("serving=paused");
              assertThat(text(call("act", "resume", path("queue", "mail")))).contains("serving=on");
              failing.isMended = true;
              assertThat(failing.seen.next()).isEqualTo("ada");
              assertThat(text(call("act", "redrive", path("queue", "mail"))))
                  .isEqualTo("{redriven=1}");
              assertThat(failing.seen.next()).isEqualTo("ada");
            });
  }

  /** Returns the path as one argument. */
  private static Object path(String... path) {
    return path;
  }

  private static String text(@Nullable Object answer) {
    return String.valueOf(answer);
  }

  private static @Nullable Object call(String operation, Object... arguments) {
    return callOf("Millrace", operation, arguments);
  }

  private static @Nullable Object callOf(String endpoint, String operation, Object... arguments) {
    try {
      String[] signature = new String[arguments.length];
      Arrays.fill(signature, Object.class.getName());
      return ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("org.springframework.boot:type=Endpoint,name=" + endpoint),
              operation,
              arguments,
              signature);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
