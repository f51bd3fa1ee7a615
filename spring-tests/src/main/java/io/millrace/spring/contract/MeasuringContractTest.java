package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.micrometer.MillraceMetrics;
import io.millrace.spring.JobHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;

/** The meters of engine and worker, and the observations of jobs. */
public abstract class MeasuringContractTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(30);

  /** Sends some, and fails with others. */
  static class Mails {
    @JobHandler(value = "mail", permanent = IllegalStateException.class)
    void send(String to) {
      if (to.equals("nobody")) {
        throw new IllegalStateException("nobody is there");
      }
    }
  }

  @Test
  void meters_ofEngineAndWorker_areInTheRegistry() {
    Contexts.with(Mails.class)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.find("millrace.leases").tag("engine", "shop").gauge())
                  .isNotNull();
              assertThat(registry.find("millrace.worker.capacity").gauge()).isNotNull();
            });
  }

  @Test
  void meters_withNameOfTheEngine_haveItAsTag() {
    Contexts.with(Mails.class)
        .withPropertyValues("millrace.name=shop-jobs")
        .run(
            context ->
                assertThat(
                        context
                            .getBean(MeterRegistry.class)
                            .find("millrace.leases")
                            .tag("engine", "shop-jobs")
                            .gauge())
                    .isNotNull());
  }

  @Test
  void context_withoutMicrometerModule_hasNoMeters() {
    Contexts.with(Mails.class)
        .withClassLoader(new FilteredClassLoader(MillraceMetrics.class))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(MeterRegistry.class).find("millrace.leases").gauge())
                  .isNull();
            });
  }

  @Test
  void jobs_areObserved_withWhatBecameOfThem() {
    Contexts.with(Mails.class)
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              MeterRegistry registry = context.getBean(MeterRegistry.class);

              queues.enqueue(MAIL, "ada");
              queues.enqueue(MAIL, "nobody");

              await(() -> count(registry, "completed") == 1);
              await(() -> count(registry, "died") == 1);
              assertThat(registry.get("millrace.job").tag("outcome", "died").timer().getId())
                  .satisfies(
                      id -> {
                        assertThat(id.getTag("queue")).isEqualTo("mail");
                        assertThat(id.getTag("type")).isEqualTo("mail");
                        assertThat(id.getTag("error")).isEqualTo("IllegalStateException");
                        assertThat(id.getTag("job")).isNull();
                      });
            });
  }

  private static long count(MeterRegistry registry, String outcome) {
    Timer timer = registry.find("millrace.job").tag("outcome", outcome).timer();
    return timer == null ? 0 : timer.count();
  }

  private static void await(BooleanSupplier condition) {
    long beganNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - beganNs).isLessThan(WAIT_NS);
      Thread.onSpinWait();
    }
  }
}
