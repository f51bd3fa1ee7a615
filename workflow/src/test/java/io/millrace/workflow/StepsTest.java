package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Limits;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.worker.JobContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What workflows can rely on. */
class StepsTest {

  private static final Duration DAY = Duration.ofDays(1);

  private final FlowRig rig = new FlowRig();
  private final List<String> calls = new ArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  @AfterEach
  void close() {
    rig.close();
  }

  private String call(String name) {
    calls.add(name);
    return name + " " + calls.size();
  }

  private void failSometimes() throws IOException {
    if (failures.getAndDecrement() > 0) {
      throw new IOException("no answer");
    }
  }

  /** Lets days pass until nothing is left to be done in any of them. */
  private void runDays(int days) {
    for (int day = 0; day < days; day++) {
      rig.run();
      rig.pass(DAY);
    }
    rig.run();
  }

  @Test
  void step_attemptsFailAfterIt_isDoneOnceAndAnswersTheSame() {
    failures.set(2);
    List<String> answers = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          answers.add(steps.step("charge", Codec.TEXT, () -> call(steps.token("charge"))));
          failSometimes();
          steps.step("ship", () -> calls.add("ship " + item));
        });
    JobId id = rig.order();

    runDays(3);

    assertThat(calls).containsExactly(id + "/charge", "ship boots");
    assertThat(answers).hasSize(3).containsOnly(id + "/charge 1");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void step_throws_isTriedAgain() {
    failures.set(2);
    rig.flow(
        (item, steps) ->
            steps.step(
                "charge",
                () -> {
                  calls.add("charge");
                  failSometimes();
                }));
    JobId id = rig.order();

    runDays(3);

    assertThat(calls).hasSize(3);
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void step_inTheStore_isOneCommitWithItsResult() {
    failures.set(2);
    Table<String, Long> stock = rig.engine().table("stock", Codec.TEXT, Codec.LONG);
    stock.put("boots", 5L);
    List<Long> answers = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          long left =
              steps.step(
                  "reserve",
                  Codec.LONG,
                  tx -> {
                    long rest = tx.get(stock, item).orElse(0L) - 1;
                    tx.put(stock, item, rest);
                    return rest;
                  });
          answers.add(left);
          failSometimes();
        });
    JobId id = rig.order();

    runDays(3);

    assertThat(answers).containsExactly(4L, 4L, 4L);
    assertThat(stock.get("boots")).contains(4L);
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void workflow_withAResult_completesWithIt() {
    rig.handler(
        Steps.workflow(
            Codec.TEXT,
            (String item, Steps steps) -> steps.step("a", Codec.TEXT, () -> call(item))));
    JobId id = rig.order();

    rig.run();

    assertThat(rig.job(id).result()).hasValue("boots 1".getBytes(UTF_8));
  }

  @Test
  void sleep_overFailuresAndEarlyRuns_isNotCutShort() {
    rig.flow(
        (item, steps) -> {
          steps.step("before", () -> calls.add("before"));
          steps.sleep("think", Duration.ofDays(10));
          steps.step("after", () -> calls.add("after"));
        });
    JobId id = rig.order();

    for (int day = 0; day < 10; day++) {
      rig.run();
      assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
      assertThat(rig.engine().reschedule(id, Instant.EPOCH).isDone()).isTrue();
      assertThat(rig.run()).isOne();
      assertThat(calls).containsExactly("before");
      rig.pass(DAY);
    }
    rig.run();

    assertThat(calls).containsExactly("before", "after");
    assertThat(rig.job(id).attempts()).isOne();
  }

  @Test
  void await_signalComes_goesOnWithItAlsoAfterFailures() {
    failures.set(2);
    List<String> answers = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          if (steps.job().wake().signal().isPresent()) {
            failSometimes(); // the signal was told, and is not kept yet
          }
          answers.add(steps.await("approval", Codec.TEXT));
          steps.sleep("think", DAY);
          answers.add(steps.await("second", Codec.TEXT, DAY).orElse("none"));
        });
    JobId id = rig.order();
    rig.run();
    assertThat(rig.state(id)).isEqualTo(JobState.WAITING);

    assertThat(signal(id, "approval", "yes")).isEqualTo(SignalResult.WOKEN);
    runDays(5);

    assertThat(answers).containsOnly("yes", "none").endsWith("none");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void await_jobIsHandedBackBeforeTheNextStep_stillKnowsTheSignal() {
    failures.set(1);
    rig.flow(
        (item, steps) -> {
          calls.add(steps.await("approval", Codec.TEXT));
          if (failures.getAndDecrement() > 0) {
            throw new FlowRig.HandBackException();
          }
        });
    JobId id = rig.order();
    rig.run();
    assertThat(signal(id, "approval", "yes")).isEqualTo(SignalResult.WOKEN);

    rig.run();
    assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
    runDays(1);

    assertThat(calls).containsExactly("yes", "yes");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void await_signalsThatCameBefore_areTakenOneByOne() {
    List<String> answers = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          answers.clear();
          answers.add(steps.await("a", Codec.TEXT));
          answers.add(steps.await("b", Codec.TEXT, DAY).orElseThrow());
        });
    JobId id = rig.order();
    assertThat(signal(id, "b", "2")).isEqualTo(SignalResult.KEPT);
    assertThat(signal(id, "a", "1")).isEqualTo(SignalResult.KEPT);

    rig.run();

    assertThat(answers).containsExactly("1", "2");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void await_deadlinePasses_isEmptyEverAfter() {
    List<Optional<String>> answers = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          answers.add(steps.await("approval", Codec.TEXT, Duration.ofDays(3)));
          steps.sleep("think", DAY);
        });
    JobId id = rig.order();
    rig.run();
    rig.pass(Duration.ofDays(2));
    assertThat(rig.run()).isZero();

    rig.pass(DAY);
    rig.run();
    assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
    assertThat(signal(id, "approval", "late")).isEqualTo(SignalResult.KEPT);
    runDays(1);

    assertThat(answers).containsExactly(Optional.empty(), Optional.empty());
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  private SignalResult signal(JobId id, String name, String payload) {
    return rig.engine().signal(id, name, payload.getBytes(UTF_8));
  }

  @Test
  void stepFailed_isKeptAndThrownAgain_soThatItCanBeUndone() {
    failures.set(1);
    rig.flow(
        (item, steps) -> {
          steps.step("charge", () -> calls.add("charge"));
          try {
            steps.step(
                "ship",
                () -> {
                  calls.add("ship");
                  throw new StepFailedException("no address");
                });
          } catch (StepFailedException e) {
            failSometimes();
            steps.step("refund", () -> calls.add("refund: " + e.reason()));
          }
        });
    JobId id = rig.order();

    runDays(3);

    assertThat(calls).containsExactly("charge", "ship", "refund: no address");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void stepFailed_inTheStore_hasNoEffectAndIsKept() {
    Table<String, Long> stock = rig.engine().table("stock", Codec.TEXT, Codec.LONG);
    rig.flow(
        (item, steps) ->
            steps.step(
                "reserve",
                Codec.LONG,
                tx -> {
                  tx.put(stock, item, 1L);
                  throw new StepFailedException("none left");
                }));
    JobId id = rig.order();

    rig.run();

    assertThat(stock.get("boots")).isEmpty();
    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).isEqualTo("none left");
  }

  @Test
  void stepFailed_cannotBeKept_isTheSuppressedOneOfWhatIsThrown() {
    List<Throwable> suppressed = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          JobContext job = steps.job();
          try {
            steps.step(
                "ship",
                () -> {
                  rig.engine().lease(job.jobId(), job.token()).release().orThrow();
                  rig.engine().cancel(job.jobId()).orThrow(); // it does not run again
                  throw new StepFailedException("no address");
                });
          } catch (LeaseLostException e) {
            suppressed.addAll(List.of(e.getSuppressed()));
            throw e;
          }
        });
    rig.order();

    assertThat(rig.run()).isOne();

    assertThat(suppressed).hasSize(1);
    assertThat(suppressed.get(0)).isExactlyInstanceOf(StepFailedException.class);
    assertThat(suppressed.get(0)).hasMessage("no address");
  }

  @Test
  void token_ofANameThatNoStepHas_isRefused() {
    rig.flow((item, steps) -> calls.add(steps.token("")));
    JobId id = rig.order();

    rig.run();

    assertThat(calls).isEmpty();
    assertThat(rig.error(id)).startsWith("java.lang.IllegalArgumentException: name ");
  }

  @Test
  void exceptionsCaught_sleepsAndWaitsPass() {
    rig.flow(
        (item, steps) -> {
          try {
            steps.sleep("think", DAY);
          } catch (Exception e) {
            calls.add("caught");
          } finally {
            steps.step("clean", () -> calls.add("clean"));
          }
        });
    JobId id = rig.order();

    rig.run();
    assertThat(calls).isEmpty();
    runDays(2);

    assertThat(calls).containsExactly("clean");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void throwableCaught_aroundASleep_isToldAndTheJobDies() {
    rig.flow(
        (item, steps) -> {
          try {
            steps.sleep("think", DAY);
          } catch (Throwable e) {
            calls.add("caught");
          }
        });
    JobId id = rig.order();

    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id))
        .isEqualTo(
            "workflow sleeps \"think\": job="
                + id
                + ", but the workflow caught what was to end its run, and ended: let Errors pass,"
                + " catch no Throwable around steps; then redrive the job");
  }

  @Test
  void exceptionOfAStep_caughtByTheWorkflow_failsTheAttempt() {
    rig.flow(
        (item, steps) -> {
          try {
            steps.step(
                "charge",
                () -> {
                  throw new IOException("no answer");
                });
          } catch (IOException e) {
            calls.add("caught");
          }
        });
    JobId id = rig.order();

    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
    assertThat(rig.error(id)).contains("caught what a step threw").contains("StepFailedException");
  }

  @Test
  void sameNameTwice_isToldAndTheJobDies() {
    rig.flow(
        (item, steps) -> {
          for (int i = 0; i < 2; i++) {
            steps.step("ship", () -> calls.add("ship"));
          }
        });
    JobId id = rig.order();

    rig.run();

    assertThat(calls).hasSize(1);
    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("the same name").contains("place=2").contains("\"ship\"");
  }

  @Test
  void stepWithinAStep_isRefused() {
    rig.flow((item, steps) -> steps.step("a", () -> steps.step("b", () -> calls.add("b"))));
    JobId id = rig.order();

    rig.run();

    assertThat(calls).isEmpty();
    assertThat(rig.error(id))
        .contains("a step begins no other: asked for step \"b\" within step \"a\"");
  }

  @Test
  void step_onAnotherThread_isRefused() throws Exception {
    List<Throwable> thrown = new ArrayList<>();
    rig.flow(
        (item, steps) -> {
          Thread other =
              new Thread(
                  () -> {
                    try {
                      steps.sleep("a", DAY);
                    } catch (Throwable e) {
                      thrown.add(e);
                    }
                  });
          other.start();
          other.join();
        });
    rig.order();

    rig.run();

    assertThat(thrown).hasSize(1);
    assertThat(thrown.get(0)).hasMessageContaining("thread of their handler alone");
  }

  @Test
  void state_tooLong_namesTheStepAndKeepsWhatWasThere() {
    rig.flow(
        (item, steps) -> {
          steps.step("small", Codec.TEXT, () -> call("small"));
          steps.step("large", Codec.BYTES, () -> new byte[Limits.CHECKPOINT_BYTES_MAX]);
        });
    JobId id = rig.order();

    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("with step \"large\" of 16777216 bytes").contains("most=");
    assertThat(rig.job(id).checkpointed()).isPresent();
  }

  @Test
  void checkpoint_ofAnotherProgram_isToldAndTheJobDies() {
    rig.handler(
        (item, job) -> {
          job.checkpoint("page 7".getBytes(UTF_8));
          throw new IOException("no answer");
        });
    JobId id = rig.order();
    rig.run();
    rig.flow((item, steps) -> steps.step("a", () -> calls.add("a")));

    runDays(1);

    assertThat(calls).isEmpty();
    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("it is no state of a workflow");
  }
}
