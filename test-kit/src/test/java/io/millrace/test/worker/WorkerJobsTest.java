package io.millrace.test.worker;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Which jobs a worker runs, hands back and leaves alone, and what stands around a run. */
class WorkerJobsTest extends WorkerRig {

  private static final JobType<String> SHARED_MAIL = MAIL.queue("shared");
  private static final JobType<String> SHARED_REPORT = REPORT.queue("shared");

  @Test
  void withoutAllTenants_jobOfAnotherTenant_isLeftAlone() {
    engine.worker().handle(MAIL, (text, job) -> said.add(text)).start();

    JobId other = engine.enqueue(MAIL.tenant("acme"), "other").jobId();
    engine.enqueue(MAIL, "own");

    assertThat(engine.run()).isEqualTo(1);
    assertThat(said).containsExactly("own");
    assertThat(job(other).state()).isEqualTo(JobState.READY);
  }

  @Test
  void unknownType_isHandedBackUncountedForAMinuteAndTold() {
    engine.worker().handle(MAIL, (text, job) -> said.add(text)).listener(told).start();

    JobId unknown =
        engine.queue("mail").enqueue(new byte[] {1}, EnqueueOptions.DEFAULT.type("newer")).jobId();
    engine.enqueue(MAIL, "known");

    assertThat(engine.run()).isEqualTo(2);
    assertThat(said).containsExactly("known");
    assertThat(told.ends).containsExactly("newer RELEASED", "mail COMPLETED");
    assertThat(told.unknown).containsExactly(unknown);
    assertThat(job(unknown).state()).isEqualTo(JobState.DELAYED);
    assertThat(job(unknown).visibleAt()).contains(afterStart(ofMinutes(1)));
    assertThat(job(unknown).attempts()).isZero();
    assertThat(job(unknown).payload()).containsExactly(1);
  }

  @Test
  void unknownType_anotherWorkerKnowsIt_isServedThere() {
    Worker first = engine.worker().handle(SHARED_MAIL, (text, job) -> said.add(text)).start();
    engine.enqueue(SHARED_REPORT, "r");
    assertThat(engine.run()).isEqualTo(1);

    engine
        .worker()
        .handle(SHARED_REPORT, (text, job) -> said.add(job.attempt() + " after " + sinceStart()))
        .start();
    assertThat(engine.run()).isZero();
    assertThat(engine.advance(ofMinutes(1))).isEqualTo(1); // the first has its turn first
    first.close();
    assertThat(engine.advance(ofMinutes(1))).isEqualTo(1);

    assertThat(said).containsExactly("1 after PT2M");
  }

  @Test
  void unknownType_jobWasToldASignal_isToldItOnceMore() {
    JobId id =
        engine.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT.type("newer")).jobId();
    engine.queue("mail").claim("newer", ofMinutes(1)).orElseThrow().waitFor("go").orThrow();
    Worker worker =
        engine.worker().handle(MAIL, (text, job) -> said.add(text)).listener(told).start();

    engine.signal(id, "go").orThrow();

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("newer RELEASED");
    worker.close();
    engine.advance(ofMinutes(1));
    Lease next = engine.queue("mail").claim("newer", ofMinutes(1)).orElseThrow();
    assertThat(next.signalled("go")).isPresent();
    assertThat(next.attempt()).isEqualTo(1);
    next.complete().orThrow();
    assertThat(said).isEmpty();
  }

  @Test
  void cancel_ofAJobThatIsReadyOrUnknown_isTheEngines() {
    Worker worker = engine.worker().handle(MAIL, (text, job) -> said.add(text)).start();
    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(worker.cancel(id)).isEqualTo(CancelResult.CANCELLED);
    assertThat(worker.cancel(id)).isEqualTo(CancelResult.GONE);

    assertThat(engine.get(id)).isEmpty();
    assertThat(engine.run()).isZero();
    assertThat(said).isEmpty();
  }

  @Test
  void middleware_doesNotProceed_jobIsCompletedWithoutItsHandler() {
    engine
        .worker()
        .handle(MAIL, (text, job) -> said.add("handler"))
        .use((job, rest) -> said.add("middleware"))
        .listener(told)
        .start();

    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(engine.run()).isEqualTo(1);
    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(said).containsExactly("middleware");
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void middleware_swallowsWhatTheHandlerThrows_jobIsCompleted() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              throw new IOException("swallowed");
            })
        .use(
            (job, rest) -> {
              try {
                rest.proceed();
              } catch (IOException e) {
                said.add("swallowed");
              }
            })
        .listener(told)
        .start();

    JobId id = engine.enqueue(MAIL, "m").jobId();

    assertThat(engine.run()).isEqualTo(1);
    assertThat(said).containsExactly("swallowed");
    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void listener_severalJobs_isToldOfTheEndOfEachBeforeTheNextBegins() {
    engine
        .worker()
        .handle(MAIL, (text, job) -> said.add("handled " + text))
        .listener(
            new WorkerListener() {
              @Override
              public void started(JobContext job) {
                said.add("started");
              }

              @Override
              public void ended(JobContext job, JobRunEnd end) {
                said.add("ended, there " + engine.get(job.jobId()).isPresent());
              }
            })
        .start();
    for (int i = 0; i < 100; i++) {
      engine.enqueue(MAIL, Integer.toString(i));
    }

    assertThat(engine.run()).isEqualTo(100);

    assertThat(said).hasSize(300);
    for (int i = 0; i < 100; i++) {
      assertThat(said.subList(3 * i, 3 * i + 3))
          .containsExactly("started", "handled " + i, "ended, there false");
    }
  }
}
