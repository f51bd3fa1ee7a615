package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.RedriveResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A workflow that goes another way than before is told so, and its job waits for the remedy. */
class DeterminismTest {

  private final FlowRig rig = new FlowRig();
  private final List<String> done = new ArrayList<>();

  @AfterEach
  void close() {
    rig.close();
  }

  private void take(Steps steps, String... names) throws Exception {
    for (String name : names) {
      steps.step(name, () -> done.add(name));
    }
  }

  /** The first program: it has come to a wait when the second takes over. */
  private JobId begun() {
    rig.flow(
        (item, steps) -> {
          take(steps, "reserve", "charge");
          steps.await("approval", Codec.TEXT);
          take(steps, "ship");
        });
    JobId id = rig.order();
    rig.run();
    assertThat(rig.state(id)).isEqualTo(JobState.WAITING);
    assertThat(done).containsExactly("reserve", "charge");
    return id;
  }

  private void assertTold(Steps.Flow<String> second, String difference) {
    JobId id = begun();
    Steps.Flow<String> first =
        (item, steps) -> {
          take(steps, "reserve", "charge");
          done.add(steps.await("approval", Codec.TEXT));
          take(steps, "ship");
        };
    rig.flow(second);
    assertThat(rig.engine().signal(id, "approval", "yes".getBytes(UTF_8)).isDone()).isTrue();

    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id))
        .startsWith(NonDeterministicWorkflowException.class.getName() + ": workflow ")
        .contains("job=" + id + ", " + difference)
        .contains("then redrive the job");
    assertThat(done).containsExactly("reserve", "charge");

    rig.flow(first);
    assertThat(rig.engine().queue("order").deadLetters().redrive(id))
        .isInstanceOf(RedriveResult.Redriven.class);
    rig.run();
    assertThat(done).containsExactly("reserve", "charge", "yes", "ship");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void step_missing_isToldWithBothNames() {
    assertTold(
        (item, steps) -> {
          take(steps, "charge");
          steps.await("approval", Codec.TEXT);
        },
        "place=1, kept step \"reserve\", asked for step \"charge\"");
  }

  @Test
  void step_renamed_isToldWithBothNames() {
    assertTold(
        (item, steps) -> take(steps, "reserve", "debit"),
        "place=2, kept step \"charge\", asked for step \"debit\"");
  }

  @Test
  void step_reordered_isToldWithBothNames() {
    assertTold(
        (item, steps) -> take(steps, "charge", "reserve"),
        "place=1, kept step \"reserve\", asked for step \"charge\"");
  }

  @Test
  void step_inserted_isToldWithBothNames() {
    assertTold(
        (item, steps) -> take(steps, "reserve", "check", "charge"),
        "place=2, kept step \"charge\", asked for step \"check\"");
  }

  @Test
  void sleep_inPlaceOfAStep_isToldWithBothNames() {
    assertTold(
        (item, steps) -> steps.sleep("reserve", Duration.ZERO),
        "place=1, kept step \"reserve\", asked for sleep \"reserve\"");
  }

  @Test
  void step_inPlaceOfAWait_isToldWithBothNames() {
    assertTold(
        (item, steps) -> take(steps, "reserve", "charge", "ship"),
        "place=3, kept await \"approval\", asked for step \"ship\"");
  }

  @Test
  void end_beforeWhatWasDone_isTold() {
    assertTold(
        (item, steps) -> take(steps, "reserve"),
        "place=2, kept step \"charge\", asked for nothing, left over=2");
  }

  @Test
  void difference_thatTheWorkflowCatches_isToldAllTheSame() {
    assertTold(
        (item, steps) -> {
          for (String name : List.of("debit", "charge", "ship")) {
            try {
              take(steps, name);
            } catch (RuntimeException e) {
              // Goes on, as it should not.
            }
          }
        },
        "place=1, kept step \"reserve\", asked for step \"debit\"");
  }
}
