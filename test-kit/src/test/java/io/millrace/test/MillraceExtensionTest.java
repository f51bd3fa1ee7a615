package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineClosedException;
import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@MillraceTest
class MillraceExtensionTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final List<TestEngine> GIVEN = new ArrayList<>();

  @BeforeEach
  void begin(TestEngine engine) {
    engine.enqueue(MAIL, "before");
    GIVEN.add(engine);
  }

  @RepeatedTest(2)
  void parameter_ofEachTest_isAnEngineOfItsOwnAndThatOfItsBeforeEach(TestEngine engine) {
    assertThat(GIVEN.get(GIVEN.size() - 1)).isSameAs(engine);
    engine.assertJobs(MAIL).hasSize(1);
    assertThat(engine.now()).isEqualTo(TestEngine.START_DEFAULT);
  }

  @Test
  void parameters_asOthersHoldThem_areTheOneEngine(
      JobQueues queues, JobReader reader, TestEngine engine) {
    assertThat(queues).isSameAs(engine);
    assertThat(reader).isSameAs(engine);
  }

  @Test
  void parameter_queuesAlone_areThoseOfBeforeEachAndStrict(JobQueues queues) {
    TestEngine engine = GIVEN.get(GIVEN.size() - 1);
    Worker.on(queues)
        .handle(
            MAIL,
            (mail, job) -> {
              throw new AssertionError("of the test");
            })
        .start();

    assertThatThrownBy(engine::run).isInstanceOf(AssertionError.class).hasMessageContaining("mail");
  }

  @AfterAll
  static void enginesOfTests_afterThem_areClosed() {
    assertThat(GIVEN)
        .doesNotHaveDuplicates()
        .allSatisfy(
            engine ->
                assertThatThrownBy(() -> engine.enqueue(MAIL, "after"))
                    .isInstanceOf(EngineClosedException.class));
  }
}
