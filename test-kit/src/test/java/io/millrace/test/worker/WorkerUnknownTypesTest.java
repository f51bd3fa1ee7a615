package io.millrace.test.worker;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerSetup;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs of a type that nobody knows any more. */
class WorkerUnknownTypesTest extends WorkerRig {

  private WorkerSetup setup() {
    return engine.worker().handle(MAIL, (text, job) -> said.add(text)).listener(told);
  }

  private JobId enqueueUnknown() {
    return engine
        .queue("mail")
        .enqueue(new byte[0], EnqueueOptions.DEFAULT.type("renamed"))
        .jobId();
  }

  @Test
  void unknownType_forADay_isLookedAtLessAndLessOften() {
    Worker worker = setup().start();
    JobId id = enqueueUnknown();

    engine.run();
    engine.advance(ofDays(1));

    assertThat(told.unknown).hasSizeBetween(24 + 5, 24 + 12);
    assertThat(worker.unknownTypes())
        .containsExactly(Map.entry("renamed", (long) told.unknown.size()));
    assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
    assertThat(job(id).attempts()).isZero();
  }

  @Tag("slow")
  @Test
  void unknownType_manyJobs_comeBackOneAfterTheOther() {
    setup().start();
    for (int i = 0; i < 1_000; i++) {
      enqueueUnknown();
    }
    engine.run();
    told.unknown.clear();

    engine.advance(ofMinutes(1));
    int atOnce = told.unknown.size();
    engine.advance(ofMinutes(1));

    assertThat(atOnce).isOne();
    assertThat(told.unknown).hasSizeGreaterThanOrEqualTo(1_000);
  }

  @Test
  void unknownTypesDeadAfter_timeIsOver_isADeadLetterThatTellsWhy() {
    setup().unknownTypesDeadAfter(ofHours(2)).start();
    JobId id = enqueueUnknown();

    engine.run();
    engine.advance(ofHours(1));
    assertThat(job(id).state()).isEqualTo(JobState.DELAYED);
    engine.advance(ofHours(3));

    assertThat(job(id).state()).isEqualTo(JobState.DEAD);
    assertThat(error(id)).isEqualTo("its worker has no handler for its type: type=renamed");
  }

  @Test
  void unknownTypesDeadAfter_knownJobs_areLeftAlone() {
    setup().unknownTypesDeadAfter(ofMinutes(0)).start();
    JobId unknown = enqueueUnknown();
    engine.enqueue(MAIL, "m");

    engine.run();

    assertThat(said).containsExactly("m");
    assertThat(job(unknown).state()).isEqualTo(JobState.DEAD);
  }
}
