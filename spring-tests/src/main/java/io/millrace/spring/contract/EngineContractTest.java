package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueues;
import io.millrace.engine.JobEngine;
import io.millrace.spring.AfterCommit;
import io.millrace.spring.EngineCustomizer;
import io.millrace.spring.JobTypes;
import io.millrace.test.TestEngine;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The engine of an application, and the beans around it. */
@ExtendWith(OutputCaptureExtension.class)
public abstract class EngineContractTest {

  @Test
  void context_withLocation_hasTheBeans() {
    Contexts.with()
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(JobEngine.class)
                    .hasSingleBean(JobQueues.class)
                    .hasSingleBean(Worker.class)
                    .hasSingleBean(Schedules.class)
                    .hasSingleBean(JobTypes.class)
                    .hasSingleBean(AfterCommit.class));
  }

  @Test
  void context_closed_closesTheEngine() {
    List<JobEngine> opened = new ArrayList<>();

    Contexts.with().run(context -> opened.add(context.getBean(JobEngine.class)));

    assertThat(opened).hasSize(1);
    assertThat(opened.get(0).health().status()).isEqualTo(EngineHealth.Status.CLOSED);
  }

  @Test
  void context_withQueuesOfItsOwn_opensNoEngine() {
    Contexts.bare()
        .withBean(TestEngine.class, TestEngine::create)
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(JobEngine.class)
                    .hasSingleBean(Worker.class));
  }

  @Test
  void options_ofPropertiesAndCustomizers_areTheEngines() {
    List<EngineOptions> seen = new ArrayList<>();
    EngineCustomizer customizer =
        options -> {
          seen.add(options);
          return options;
        };

    Contexts.with()
        .withBean(EngineCustomizer.class, () -> customizer)
        .withPropertyValues("millrace.durability=buffered", "millrace.name=shop-jobs")
        .run(context -> assertThat(context).hasNotFailed());

    assertThat(seen).hasSize(1);
    assertThat(seen.get(0).durability()).isEqualTo(Durability.BUFFERED);
    assertThat(seen.get(0).name()).contains("shop-jobs");
    assertThat(seen.get(0).closeAtShutdown()).isFalse();
  }

  @Test
  void start_withoutLocation_saysWhichPropertyIsMissing(CapturedOutput output) {
    assertThat(start()).isFalse();

    assertThat(output)
        .contains("Millrace cannot start: millrace.location is not set")
        .contains("such as lmdb:./data/jobs");
  }

  @Test
  void start_withUnknownKindOfStore_saysWhatToAdd(CapturedOutput output) {
    assertThat(start("--millrace.location=lmbd:./data/jobs")).isFalse();

    assertThat(output)
        .contains("no such kind of store is on the class path: scheme=\"lmbd\"")
        .contains("Set millrace.location to a kind of store and its folder");
  }

  @Test
  void start_withLocationThatIsNone_saysSo(CapturedOutput output) {
    assertThat(start("--millrace.location=data")).isFalse();

    assertThat(output).contains("location has no kind of store or no folder: value=\"data\"");
  }

  @Test
  void start_withUnknownDurability_namesTheProperty(CapturedOutput output) {
    assertThat(start("--millrace.location=memory:jobs", "--millrace.durability=sometimes"))
        .isFalse();

    assertThat(output).contains("millrace.durability").contains("sometimes");
  }

  /** Starts an application as its main method would; answers whether it starts. */
  private static boolean start(String... arguments) {
    SpringApplication application =
        new SpringApplicationBuilder(Contexts.Empty.class).web(WebApplicationType.NONE).build();
    try {
      Objects.requireNonNull(application.run(arguments)).close();
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
