package io.millrace.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.ResultJobType;
import io.millrace.api.UniqueKey;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that many jobs do. */
class AllStepTest {

  private static final ResultJobType<String, String> PAGE =
      JobType.of("page", Codec.TEXT)
          .returning(Codec.TEXT)
          .defaults(options -> options.maxAttempts(1));

  private static final Duration DAY = Duration.ofDays(1);

  private final FlowRig rig = new FlowRig();
  private final List<String> rendered = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger failures = new AtomicInteger();
  private final List<Object> seen = new ArrayList<>();
  private final Worker pages =
      Worker.on(rig.engine()).compute(PAGE, (page, job) -> render(page)).start();

  @AfterEach
  void close() {
    pages.close();
    rig.close();
  }

  private String render(String page) throws IOException {
    rendered.add(page);
    if (page.equals("bad") && failures.getAndDecrement() > 0) {
      throw new IOException("no paper");
    }
    return page + "!";
  }

  private BatchStats batch() {
    return rig.engine().batches().list(PageRequest.first(1)).items().get(0);
  }

  @Test
  void all_jobsSucceed_answersTheirResultsInTheOrderOfPayloadsInEachAttempt() {
    AtomicInteger fails = new AtomicInteger(2);
    rig.flow(
        (item, steps) -> {
          seen.add(steps.all("pages", PAGE, List.of("c", "a", "b")));
          if (fails.getAndDecrement() > 0) {
            throw new IOException("no answer");
          }
        });
    JobId id = rig.order();
    for (int day = 0; day < 4; day++) {
      rig.run();
      rig.pass(DAY);
    }

    assertThat(seen).hasSize(3).containsOnly(List.of("c!", "a!", "b!"));
    assertThat(rendered).containsExactly("c", "a", "b");
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(rig.job(id).attempts()).isEqualTo(3);
    assertThat(batch().name()).isEqualTo("pages");
    assertThat(batch().succeeded()).isEqualTo(3);
  }

  @Test
  void all_jobsAreUnderWay_waitsWithoutLeaseAndSaysForWhat() {
    pages.pause();
    rig.flow((item, steps) -> steps.all("pages", PAGE, List.of("a", "b")));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.WAITING);
    assertThat(rig.job(id).waitsForBatch()).hasValue(batch().id());
    assertThat(rig.engine().explain(id).orElseThrow().reasons())
        .hasOnlyElementsOfType(Explanation.WaitsForBatch.class);
    assertThat(KeptStep.of(rig.job(id)))
        .extracting(KeptStep::call, KeptStep::name, KeptStep::outcome)
        .containsExactly(tuple("all", "pages", KeptStep.Outcome.AWAITS));
    pages.resume();
    rig.run();
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(KeptStep.of(rig.job(id)))
        .extracting(KeptStep::outcome)
        .containsExactly(KeptStep.Outcome.DONE);
  }

  @Test
  void all_noPayloads_isDoneAtOnceWithoutResults() {
    rig.flow((item, steps) -> seen.add(steps.all("pages", PAGE, List.of())));
    JobId id = rig.order();
    rig.run();

    assertThat(seen).containsExactly(List.of());
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
  }

  @Test
  void all_aJobDies_failsForGoodInEachAttemptAndIsNotStartedTwice() {
    failures.set(1);
    AtomicInteger fails = new AtomicInteger(1);
    rig.flow(
        (item, steps) -> {
          try {
            steps.all("pages", PAGE, List.of("a", "bad"));
          } catch (StepFailedException e) {
            seen.add(e.reason());
          }
          if (fails.getAndDecrement() > 0) {
            throw new IOException("no answer");
          }
        });
    JobId id = rig.order();
    rig.run();
    rig.engine().queue("page").deadLetters().redriveAll(DeadFilter.ALL);
    rig.pass(DAY);
    rig.run();

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0))
        .isEqualTo(seen.get(1))
        .asString()
        .contains("total=2, succeeded=1, dead=1, others=0", "batch=" + batch().id());
    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(rendered).containsExactly("a", "bad", "bad");
  }

  @Test
  void all_aJobDiesAndNobodyCatches_theWorkflowIsADeadLetterThatSaysWhy() {
    failures.set(1);
    rig.flow((item, steps) -> steps.all("pages", PAGE, List.of("a", "bad")));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("not all jobs of the step succeeded", "dead=1");
    assertThat(KeptStep.of(rig.job(id)))
        .extracting(KeptStep::outcome)
        .containsExactly(KeptStep.Outcome.FAILED);
  }

  @Test
  void all_nobodyRunsTheWorkflowForAMonth_isADeadLetterThatSaysThatResultsAreGone() {
    pages.pause();
    rig.flow((item, steps) -> steps.all("pages", PAGE, List.of("a")));
    JobId id = rig.order();
    rig.run();
    rig.flow(
        (item, steps) -> {
          throw new FlowRig.HandBackException();
        });
    pages.resume();
    rig.run();
    rig.pass(AllStep.RETENTION.plusDays(1));
    rig.run();
    rig.flow((item, steps) -> steps.all("pages", PAGE, List.of("a")));
    rig.pass(DAY);
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("results of a step are gone", "step=\"pages\"");
    assertThat(rig.engine().batches().list(PageRequest.first(1)).items()).isEmpty();
  }

  @Test
  void all_typeWithAUniqueKey_failsTheAttemptAndSaysWhy() {
    ResultJobType<String, String> unique =
        PAGE.defaults(options -> options.unique(UniqueKey.of("page")));
    rig.flow((item, steps) -> steps.all("pages", unique, List.of("a", "b")));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
    assertThat(rig.error(id)).contains("jobs of a step have no unique key", "type=page");
    assertThat(rig.engine().batches().list(PageRequest.first(1)).items()).isEmpty();
  }

  @Test
  void all_thousandsOfPayloads_answersAsManyResults() {
    List<String> payloads = IntStream.range(0, 5_000).mapToObj(Integer::toString).toList();
    rig.flow((item, steps) -> seen.addAll(steps.all("pages", PAGE, payloads)));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DONE);
    assertThat(seen).hasSize(payloads.size()).startsWith("0!", "1!").endsWith("4999!");
  }

  @Test
  void all_morePayloadsThanMayBe_failsTheAttemptAndSaysWhy() {
    List<String> payloads = Collections.nCopies(Limits.CALL_JOB_COUNT_MAX + 1, "a");
    rig.flow((item, steps) -> seen.addAll(steps.all("pages", PAGE, payloads)));
    JobId id = rig.order();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DELAYED);
    assertThat(rig.error(id)).contains("most=10000");
  }

  @Test
  void all_resultsAreMoreThanACheckpointKeeps_isADeadLetterThatSaysWhy() {
    ResultJobType<String, String> large = JobType.of("large", Codec.TEXT).returning(Codec.TEXT);
    Worker worker =
        Worker.on(rig.engine())
            .compute(large, (page, job) -> "x".repeat(Limits.RESULT_BYTES_MAX))
            .start();
    rig.flow((item, steps) -> steps.all("pages", large, Collections.nCopies(17, "a")));
    JobId id = rig.order();
    rig.run();
    worker.close();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("results of a step are more than a checkpoint can keep");
  }

  @Test
  void all_otherCallThanBefore_isTold() {
    pages.pause();
    AtomicInteger runs = new AtomicInteger();
    rig.flow(
        (item, steps) -> {
          if (runs.getAndIncrement() == 0) {
            steps.all("pages", PAGE, List.of("a"));
          } else {
            steps.step("pages", () -> seen.add("step"));
          }
        });
    JobId id = rig.order();
    rig.run();
    pages.resume();
    rig.run();

    assertThat(rig.state(id)).isEqualTo(JobState.DEAD);
    assertThat(rig.error(id)).contains("all \"pages\"", "step \"pages\"");
  }
}
