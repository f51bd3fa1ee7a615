package io.millrace.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps and workflows that answer null. */
class NullAnswersTest {

  private final FlowRig rig = new FlowRig();
  private final List<String> calls = new ArrayList<>();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void step_answersNull_isDoneOnceAndAnswersNullAgain() {
    List<Optional<Long>> answers = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          answers.add(Optional.ofNullable(steps.step("find", Codec.LONG, () -> found())));
          answers.add(Optional.ofNullable(steps.step("look", Codec.LONG, tx -> null)));
          if (answers.size() < 6) {
            throw new IOException("no answer");
          }
        });
    JobId id = rig.order();

    for (int day = 0; day < 3; day++) {
      rig.run();
      rig.pass(Duration.ofDays(1));
    }

    assertThat(calls).containsExactly("find");
    assertThat(answers).hasSize(6).containsOnly(Optional.empty());
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  private Long found() {
    calls.add("find");
    return null;
  }

  @Test
  void workflow_resultIsNull_failsAndSaysSo() {
    rig.handler(Steps.<String, Long>workflow(Codec.LONG, (item, steps) -> null));
    JobId id = rig.order();

    rig.run();

    assertThat(rig.job(id).lastError().orElseThrow())
        .contains("workflow answered null, which is no result: type=");
  }
}
