package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.rig.Reach;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That somebody is told of jobs whose type no handler knows: by health and by explanations. */
@Timeout(120)
class WorkerUnknownTypesHealthTest {

  private static final JobType<String> OLD = JobType.of("old", Codec.TEXT).queue("mail");
  private static final JobType<String> NEW = JobType.of("new", Codec.TEXT).queue("mail");
  private static final String TOLD =
      "jobs are handed back, for the worker has no handler for their type: type=old, worker=w";

  private final AtomicLong aheadNs = new AtomicLong();
  private final JobEngine engine =
      JobEngine.open("memory:unknown", EngineOptions.DEFAULT.clock(new MovedClock()));
  private final JobQueues queues = Reach.to(engine, JobQueues.class);

  /** The machine's, and so much later. */
  private final class MovedClock implements EngineClock {

    @Override
    public long epochMs() {
      return SYSTEM.epochMs() + Duration.ofNanos(aheadNs.get()).toMillis();
    }

    @Override
    public long monotonicNs() {
      return SYSTEM.monotonicNs() + aheadNs.get();
    }

    @Override
    public void parkNs(long durationNs) {
      SYSTEM.parkNs(Math.min(durationNs, 1_000_000));
    }
  }

  @AfterEach
  void close() {
    queues.close();
  }

  private List<String> kinds(JobId id) {
    return queues.explain(id).orElseThrow().reasons().stream().map(Reason::kind).toList();
  }

  @Test
  void unknownType_isToldInHealthAndExplainedUntilAWorkerHasAHandler() {
    Worker worker = Worker.on(queues).name("w").handle(NEW, (text, job) -> {}).start();
    JobId id = queues.enqueue(OLD, "o").jobId();
    WorkerRig.await("it was met", () -> worker.unknownTypes().containsKey("old"));
    WorkerRig.await("it rests", () -> kinds(id).contains("Delayed"));

    assertThat(queues.explain(id).orElseThrow().reasons().get(0).sentence()).isEqualTo(TOLD);
    assertThat(kinds(id)).startsWith("NoHandler");
    assertThat(engine.health().warnings()).isEmpty();
    aheadNs.addAndGet(Duration.ofSeconds(62).toNanos());

    WorkerRig.await("it is told", () -> engine.health().warnings().equals(List.of(TOLD)));
    Worker other = Worker.on(queues).handle(OLD, (text, job) -> {}).start();
    worker.close();
    aheadNs.addAndGet(Duration.ofHours(2).toNanos());
    WorkerRig.await("it is done", () -> queues.get(id).isEmpty());
    assertThat(engine.health().warnings()).isEmpty();
    other.close();
  }

  @Test
  void unknownType_isMetNoMore_isForgotten() {
    Worker worker = Worker.on(queues).name("w").handle(NEW, (text, job) -> {}).start();
    JobId id = queues.enqueue(OLD, "o").jobId();
    WorkerRig.await("it was met", () -> worker.unknownTypes().containsKey("old"));
    worker.close();

    aheadNs.addAndGet(Duration.ofMinutes(69).toNanos());
    assertThat(engine.health().warnings()).containsExactly(TOLD);
    aheadNs.addAndGet(Duration.ofMinutes(2).toNanos());

    assertThat(engine.health().warnings()).isEmpty();
    assertThat(kinds(id)).doesNotContain("NoHandler");
  }
}
