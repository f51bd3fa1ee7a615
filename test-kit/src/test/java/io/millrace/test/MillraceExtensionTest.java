package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineClosedException;
import io.millrace.api.JobType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

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
