package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Table;
import io.millrace.worker.Next;
import io.millrace.workflow.KeptStep.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often each step is tried, and what is seen of that. The job has five attempts. */
class StepAttemptsTest {

  private final FlowRig rig = new FlowRig();
  private final List<String> calls = new ArrayList<>();

  @AfterEach
  void close() {
    rig.close();
  }

  private void runDays(int days) {
    for (int day = 0; day < days; day++) {
      rig.run();
      rig.pass(Duration.ofDays(1));
    }
    rig.run();
  }

  private String refuse(String step) throws IOException {
    calls.add(step);
    throw new IOException("refused " + calls.size());
  }

  private List<String> shown(JobId id) {
    return KeptStep.of(rig.job(id)).stream()
        .map(
            each ->
                "%s %s %s %d %s"
                    .formatted(
                        each.call(),
                        each.name(),
                        each.outcome(),
                        each.failedTries(),
                        each.error().orElse("-")))
        .toList();
  }

  @Test
  void attempts_stepThrowsSoOften_failsForGoodAndTheWorkflowUndoes() {
    AtomicReference<String> reason = new AtomicReference<>();
    rig.flow(
        (item, steps) -> {
          steps.step("reserve", () -> calls.add("reserve"));
          try {
            steps.attempts(3).step("charge", Codec.TEXT, () -> refuse("charge"));
          } catch (StepFailedException e) {
            reason.set(e.reason());
            steps.step("put back", () -> calls.add("put back"));
          }
        });
    JobId id = rig.order();

    rig.run();
    assertThat(shown(id))
        .containsExactly(
            "step reserve DONE 0 -", "step charge TRIED 1 java.io.IOException: refused 2");
    runDays(5);

    assertThat(calls).containsExactly("reserve", "charge", "charge", "charge", "put back");
    assertThat(reason.get())
        .isEqualTo("charge: given up after 3 tries: java.io.IOException: refused 4");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(shown(id))
        .containsExactly(
            "step reserve DONE 0 -",
            "step charge FAILED 0 " + reason.get(),
            "step put back DONE 0 -");
  }

  @Test
  void attempts_areThoseOfEachStepByItself() {
    rig.flow(
        (item, steps) -> {
          steps
              .attempts(3)
              .step(
                  "first",
                  () -> {
                    if (calls.size() < 2) {
                      refuse("first");
                    }
                  });
          steps
              .attempts(3)
              .step(
                  "second",
                  () -> {
                    if (calls.size() < 4) {
                      refuse("second");
                    }
                  });
        });
    JobId id = rig.order();

    runDays(6);

    assertThat(calls).containsExactly("first", "first", "second", "second");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(shown(id)).containsExactly("step first DONE 0 -", "step second DONE 0 -");
  }

  @Test
  void attempts_lastOfTheJobComesFirst_givesTheStepUpToo() {
    rig.flow(
        (item, steps) -> {
          try {
            steps.attempts(100).step("charge", Codec.TEXT, () -> refuse("charge"));
          } catch (StepFailedException e) {
            calls.add(e.reason());
          }
        });
    JobId id = rig.order();

    runDays(6);

    assertThat(calls)
        .hasSize(6)
        .last()
        .isEqualTo("charge: given up after 5 tries: java.io.IOException: refused 5");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void step_withoutANumber_isTriedForAsLongAsTheJobAndSeen() {
    rig.flow((item, steps) -> steps.step("charge", Codec.TEXT, () -> refuse("charge")));
    JobId id = rig.order();

    runDays(6);

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(shown(id)).containsExactly("step charge TRIED 5 java.io.IOException: refused 5");
  }

  @Test
  void attempts_stepInTheStore_isGivenUpAndHasNoEffect() {
    Table<String, Long> stock = rig.engine().table("stock", Codec.TEXT, Codec.LONG);
    rig.flow(
        (item, steps) ->
            steps
                .attempts(2)
                .step(
                    "reserve",
                    Codec.TEXT,
                    tx -> {
                      tx.put(stock, item, 1L);
                      calls.add("reserve");
                      throw new IllegalStateException("none left");
                    }));
    JobId id = rig.order();

    runDays(6);

    assertThat(calls).hasSize(2);
    assertThat(stock.get("boots")).isEmpty();
    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id))
        .contains("reserve: given up after 2 tries: java.lang.IllegalStateException: none left");
  }

  /** What was only tried binds nobody: the repaired program may do something else there. */
  @Test
  void tries_programIsChangedThere_areForgotten() {
    rig.flow((item, steps) -> steps.step("charge", Codec.TEXT, () -> refuse("charge")));
    JobId id = rig.order();
    rig.run();
    assertThat(KeptStep.of(rig.job(id))).extracting(KeptStep::outcome).contains(Outcome.TRIED);

    rig.flow(
        (item, steps) -> {
          steps.step("look", () -> calls.add("look"));
          steps.attempts(1).step("pay", () -> calls.add("pay"));
        });
    runDays(2);

    assertThat(calls).containsExactly("charge", "look", "pay");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  /** Of no step: it says nothing of what was called. */
  @Test
  void attempts_anErrorIsThrown_isNoTry() {
    rig.flow(
        (item, steps) ->
            steps
                .attempts(1)
                .step(
                    "charge",
                    () -> {
                      calls.add("charge");
                      if (calls.size() < 3) {
                        throw new OutOfMemoryError("as if");
                      }
                    }));
    JobId id = rig.order();

    runDays(4);

    assertThat(calls).hasSize(3);
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  /** An exception that has nothing to say of itself. */
  private static final class Wordless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("NullAway") // what others do, too
    public String toString() {
      return getMessage();
    }
  }

  @Test
  void attempts_whatIsThrownHasNoText_isATryAndEndsTheRun() {
    rig.flow(
        (item, steps) -> {
          try {
            steps
                .attempts(2)
                .step(
                    "charge",
                    () -> {
                      throw new Wordless();
                    });
          } catch (NullPointerException e) {
            steps.step("ship", () -> calls.add("ship"));
          }
        });
    JobId id = rig.order();

    rig.run();

    String error = Wordless.class.getName();
    assertThat(shown(id)).containsExactly("step charge TRIED 1 " + error);
    runDays(3);
    assertThat(shown(id))
        .containsExactly("step charge FAILED 0 charge: given up after 2 tries: " + error);
    assertThat(calls).isEmpty();
  }

  @Test
  void attempts_outOfRange_isRefused() {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    rig.flow(
        (item, steps) -> {
          assertThatThrownBy(() -> steps.attempts(0))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("attempts");
          assertThatThrownBy(() -> steps.attempts(1_001)).hasMessageContaining("1001");
          thrown.set(new IOException("reached"));
        });
    rig.order();

    rig.run();

    assertThat(thrown.get()).hasMessage("reached");
  }

  @Test
  void of_checkpointOfNoWorkflow_isNothing() {
    rig.handler(
        (item, job) -> {
          job.checkpoint("no state".getBytes(UTF_8));
          return Next.done();
        });
    JobId id = rig.order();

    rig.run();

    assertThat(KeptStep.of(rig.job(id))).isEmpty();
  }
}
