package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadLetters;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.ResultJobType;
import io.millrace.worker.JobContext;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps whose jobs add others, or that are met again by a flow which has changed. */
class AllStepTrapsTest {

  private static final ResultJobType<String, String> PAGE =
      JobType.of("page", Codec.TEXT)
          .returning(Codec.TEXT)
          .defaults(options -> options.maxAttempts(1));

  private static final Duration DAY = Duration.ofDays(1);

  private final FlowRig rig = new FlowRig();
  private final List<String> rendered = Collections.synchronizedList(new ArrayList<>());
  private final List<Object> seen = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();

  @AfterEach
  void close() {
    workers.forEach(Worker::close);
    rig.close();
  }

  private Worker render() {
    return render((page, job) -> page + "!");
  }

  private Worker render(BiFunction<String, JobContext, String> work) {
    Worker worker =
        Worker.on(rig.engine())
            .compute(
                PAGE,
                (page, job) -> {
                  rendered.add(page);
                  return work.apply(page, job);
                })
            .start();
    workers.add(worker);
    return worker;
  }

  private List<BatchStats> batches() {
    return rig.engine().batches().list(PageRequest.first(9)).items();
  }

  private List<Lease> claim() {
    return rig.engine().queue("page").claim(ClaimOptions.by("w").max(9));
  }

  private static void complete(Lease lease) {
    lease.complete((new String(lease.payload(), UTF_8) + "!").getBytes(UTF_8)).orThrow();
  }

  @Test
  void all_jobsAddOthersToTheirBatch_waitsForThemAndAnswersThoseOfThePayloads() {
    render(
        (page, job) -> {
          BatchId own = job.batch().orElseThrow();
          if (page.equals("b")) {
            job.queues()
                .inTransaction(tx -> tx.enqueue(PAGE, "b+", options -> options.batch(own)))
                .orThrow();
          } else if (!page.endsWith("+")) {
            job.queues().enqueue(PAGE, page + "+", options -> options.batch(own));
          }
          return page + "!";
        });
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of("c", "a", "b"))));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(seen).containsExactly(List.of("c!", "a!", "b!"));
    assertThat(rendered).containsExactlyInAnyOrder("c", "a", "b", "c+", "a+", "b+");
    assertThat(batches()).extracting(BatchStats::succeeded).containsExactly(6L);
  }

  /** The result of a job that was added must not be taken for one of a payload. */
  @Test
  void all_aJobHasNoResultAndAnAddedOneHas_isADeadLetterThatSaysSo() {
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of("a", "b"))));
    JobId id = rig.order();
    rig.run();
    BatchId batch = batches().get(0).id();
    rig.engine().enqueue(PAGE, "added", options -> options.batch(batch));
    List<Lease> leases = claim();
    leases.get(0).complete().orThrow();
    leases.subList(1, 3).forEach(AllStepTrapsTest::complete);
    rig.run();

    assertThat(seen).isEmpty();
    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("succeeded without results", "batch=" + batch);
  }

  @Test
  void all_flowHasOtherPayloadsMeanwhile_isADeadLetterUntilTheyAreTheOldOnes() {
    List<String> payloads = new ArrayList<>(List.of("a", "b", "c"));
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, payloads)));
    JobId fewer = rig.order();
    JobId more = rig.order();
    rig.run();
    payloads.remove("c");
    claim().forEach(AllStepTrapsTest::complete);
    rig.run();
    payloads.add("c");
    payloads.add("d");
    rig.engine().queue("order").deadLetters().redrive(more).orThrow();
    rig.run();

    assertThat(seen).isEmpty();
    assertThat(List.of(fewer, more))
        .allSatisfy(
            id -> {
              assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
              assertThat(rig.error(id)).contains("the payloads are others than before");
            });
    payloads.remove("d");
    rig.engine().queue("order").deadLetters().redrive(fewer).orThrow();
    rig.run();
    assertThat(seen).containsExactly(List.of("a!", "b!", "c!"));
    assertThat(rig.state(fewer)).isEqualTo(JobState.DONE);
  }

  @Test
  void all_resultsAreEmpty_areAnsweredAllTheSame() {
    render((page, job) -> "");
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of("a", "b"))));
    JobId id = rig.order();
    rig.run();

    assertThat(seen).containsExactly(List.of("", ""));
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void all_queueHasNoRoom_nothingIsStartedAndTheNextAttemptStartsAll() {
    rig.engine().queue("page").configure(settings -> settings.depthMax(1));
    render();
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of("a", "b"))));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
    assertThat(rig.error(id)).contains("queue is full");
    assertThat(batches()).isEmpty();
    rig.engine().queue("page").configure(settings -> settings.depthMax(2));
    rig.pass(DAY);
    rig.run();
    assertThat(seen).containsExactly(List.of("a!", "b!"));
    assertThat(rendered).containsExactly("a", "b");
    assertThat(batches()).hasSize(1);
  }

  @Test
  void all_jobsAreWorkflowsThatSleepAndHaveSuchSteps_answersTheirResults() {
    workers.add(
        Worker.on(rig.engine())
            .steps(
                PAGE,
                Steps.workflow(
                    Codec.TEXT,
                    (page, steps) -> {
                      if (page.length() == 1) {
                        List<String> parts = List.of(page + "1", page + "2");
                        return String.join(",", steps.all("parts", PAGE, parts));
                      }
                      steps.sleep("nap", Duration.ofHours(1));
                      return page + "!";
                    }))
            .start());
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of("b", "a"))));
    JobId id = rig.order();
    rig.run();
    assertThat(rig.state(id)).isEqualTo(JobState.WAITING);
    rig.pass(DAY);
    rig.run();

    assertThat(seen).containsExactly(List.of("b1!,b2!", "a1!,a2!"));
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(batches()).hasSize(3).allMatch(BatchStats::isOver);
  }

  @Test
  void cancel_ofTheWorkflow_leavesItsJobsAlone() {
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of("a", "b"))));
    JobId id = rig.order();
    rig.run();
    rig.engine().cancel(id).orThrow();
    render();
    rig.run();

    assertThat(rig.engine().get(id)).isEmpty();
    assertThat(rendered).containsExactly("a", "b");
    assertThat(batches()).extracting(BatchStats::succeeded).containsExactly(2L);
    assertThat(seen).isEmpty();
  }

  @Test
  void cancel_ofTheBatch_failsTheStepForGood() {
    rig.flow(
        (item, steps) -> {
          try {
            steps.all("pages", PAGE, List.of("a", "b"));
          } catch (StepFailedException e) {
            seen.add(e.reason());
          }
        });
    JobId id = rig.order();
    rig.run();
    assertThat(rig.engine().batches().cancel(batches().get(0).id())).isNotEmpty();
    rig.run();

    assertThat(seen).hasSize(1);
    assertThat(seen.get(0)).asString().contains("total=2, succeeded=0, dead=0, others=2");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void redrive_withItsCheckpoint_startsNothingAndWithoutAllAnew() {
    render();
    AtomicBoolean isBroken = new AtomicBoolean(true);
    rig.flow(
        (item, steps) -> {
          seen.add(steps.all("pages", PAGE, List.of("a", "b")));
          if (isBroken.get()) {
            throw new StepFailedException("broken");
          }
        });
    JobId id = rig.order();
    rig.run();
    DeadLetters dead = rig.engine().queue("order").deadLetters();
    dead.redrive(id, DeadLetters.Checkpointed.KEEP).orThrow();
    rig.run();
    assertThat(rendered).containsExactly("a", "b");
    isBroken.set(false);
    dead.redrive(id, DeadLetters.Checkpointed.CLEAR).orThrow();
    rig.run();

    assertThat(rendered).containsExactly("a", "b", "a", "b");
    assertThat(seen).hasSize(3).containsOnly(List.of("a!", "b!"));
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }
}
